// @ts-check
// Keeps the scorekeeper on the device: its page, every file that this version of it names, and the
// pages it leads to. Programs and streams pass by untouched, and so do other pages as long as there
// is a network.

/** @typedef {{ version: string, base: string, page: string, files: string[], linked: string[] }} Kept */

const worker = /** @type {ServiceWorkerGlobalScope & { yacht: Kept }} */ (/** @type {unknown} */ (self));
const { version, base, page, files, linked } = worker.yacht; // set above by the server
const OURS = `yacht ${base}/ `;
const PATIENCE = 3000; // a network that takes longer is none

const open = () => caches.open(OURS + version);
const languageOf = async (/** @type {Response} */ answer) => /<html lang="([\w-]+)"/.exec(await answer.clone().text())?.[1];

/** A page names files by their versions; one of another version names some that aren't here. */
async function isOurs(/** @type {Response} */ answer) {
  const named = [...(await answer.clone().text()).matchAll(/"(\/[^"\s]*\?v=\w+)"/g)];
  return named.length > 0 && named.every(([, address]) => files.includes(address));
}

/** While servers are updated one may answer that has another version: then all waits. */
async function taken(/** @type {string} */ address) {
  const answer = await fetch(address, { cache: "no-cache" });
  if (!answer.ok || !(files.includes(address) || (await isOurs(answer)))) throw new Error(address);
  return answer;
}

/** Keeps what the page leads to in its language. */
async function keepLinked(/** @type {Response} */ shown) {
  const cache = await open();
  const language = await languageOf(shown);
  const keep = async (/** @type {string} */ address) => (await cache.match(address)) ?? cache.put(address, await taken(address));
  await Promise.all(linked.map((one) => keep(`${base}/${language}/${one}`)));
}

async function install() {
  const cache = await open();
  const keep = async (/** @type {string} */ address) => {
    const answer = await taken(address);
    await cache.put(address, answer.clone());
    return answer;
  };
  await Promise.all([keep(page).then(keepLinked), ...files.map(keep)]);
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== OURS + version).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * The page from the network, in the language chosen last; without one, or in another version, what
 * is kept. Yet who has chosen another language gets it, and with it the version that has it.
 */
async function newest(/** @type {FetchEvent} */ event) {
  const cache = await open();
  const before = await cache.match(page);
  try {
    const answer = await fetch(event.request, { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok && (await isOurs(answer))) {
      await cache.put(page, answer.clone());
      event.waitUntil(keepLinked(answer.clone()).catch(() => {})); // else at the next visit
      return answer;
    }
    if (answer.ok && before && (await languageOf(answer)) !== (await languageOf(before))) return answer;
  } catch {
    // no network
  }
  return before ?? fetch(event.request);
}

/** Another page from the network; without one what is kept of it, or a page that says so. */
async function other(/** @type {Request} */ request) {
  const cache = await open();
  const { pathname, searchParams } = new URL(request.url);
  const match = (/** @type {string} */ search) => cache.match(`${pathname}?${search}back=score`);
  const here = (await match(`ruleset=${searchParams.get("ruleset")}&`)) ?? (await match(""));
  const tired = new Promise((_, no) => here && setTimeout(no, PATIENCE));
  try {
    return await /** @type {Promise<Response>} */ (Promise.race([fetch(request), tired]));
  } catch {
    return here ?? noNetwork();
  }
}

async function noNetwork() {
  const cache = await open();
  const shown = await cache.match(page);
  return (shown && (await cache.match(`${base}/${await languageOf(shown)}/offline`))) ?? Response.error();
}

const kept = async (/** @type {Request} */ request) => (await (await open()).match(request)) ?? fetch(request);

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => event.data === "use" && event.waitUntil(worker.skipWaiting()));
worker.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname, search } = new URL(url);
  if (origin !== worker.location.origin) return;
  if (method === "GET" && files.includes(pathname + search)) event.respondWith(kept(event.request));
  else if (mode !== "navigate") return;
  else if (method === "GET") event.respondWith(pathname === page ? newest(event) : other(event.request));
  else if (!navigator.onLine) event.respondWith(noNetwork()); // what is posted is never sent by us
});
