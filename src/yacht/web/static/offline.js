// @ts-check
// Keeps the page on this device, and offers a newer version of it once that has arrived. Nothing
// changes before somebody says so, or before all pages of the old one are closed.

const offer = /** @type {HTMLElement} */ (document.getElementById("update"));
const { worker = "", scope = "" } = offer.dataset;
const pages = navigator.serviceWorker; // there is none without HTTPS, but for this very device

if (pages) {
  const registration = await pages.register(worker, { scope, updateViaCache: "none" });
  let asked = false; // by this page's button
  let kept = pages.controller !== null; // else the first worker is about to come

  const look = () => registration.waiting && registration.active && (offer.hidden = false);
  look();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  pages.addEventListener("controllerchange", () => {
    if (asked) location.reload();
    else if (kept) offer.hidden = false; // another page's button: this one is of the old version
    kept = true;
  });
  document.getElementById("later")?.addEventListener("click", () => (offer.hidden = true));
  document.getElementById("use")?.addEventListener("click", () => {
    asked = true;
    if (registration.waiting) registration.waiting.postMessage("use");
    else location.reload();
  });

  const update = () => document.hidden || registration.update().catch(() => {}); // no network: later
  update();
  document.addEventListener("visibilitychange", update);
  addEventListener("online", update);
}
