// @ts-check
// Keeps the page on this device, and offers a newer version of it once that has arrived. Nothing
// changes before somebody says so, or before all pages of the old one are closed.

const offer = /** @type {HTMLElement} */ (document.getElementById("update"));
const { worker = "", scope = "" } = offer.dataset;
const pages = navigator.serviceWorker; // there is none without HTTPS, but for this very device
const module = /** @type {HTMLLinkElement} */ (document.getElementById("kept-module"));
/** @type {typeof import("./kept.js") | null} */
const cards = await import(module.href).catch(() => null); // without it there are no cards

/** Whether cards are in this page alone, and would go with it. */
const unsafe = () => cards !== null && !cards.safe();

/** @param {ServiceWorkerRegistration} registration */
function follow(registration) {
  let asked = false; // by this page's button
  let kept = pages.controller !== null; // else the first worker is about to come

  const show = () => (offer.hidden = unsafe());
  const look = () => registration.waiting && registration.active && show();
  const watch = () => registration.installing?.addEventListener("statechange", look);
  look();
  watch(); // it may have begun before this page
  registration.addEventListener("updatefound", watch);
  pages.addEventListener("controllerchange", () => {
    if (asked) location.reload();
    else if (kept) show(); // another page's button: this one is of the old version
    kept = true;
  });
  document.getElementById("later")?.addEventListener("click", () => (offer.hidden = true));
  document.getElementById("use")?.addEventListener("click", () => {
    if (unsafe()) return void (offer.hidden = true);
    asked = true;
    if (registration.waiting) registration.waiting.postMessage("use");
    else location.reload();
  });

  const update = () => document.hidden || registration.update().catch(() => {}); // no network: later
  update();
  document.addEventListener("visibilitychange", update);
  addEventListener("online", update);
}

// Where a browser keeps nothing, it refuses: then the page needs a network.
pages?.register(worker, { scope, updateViaCache: "none" }).then(follow, () => {});
