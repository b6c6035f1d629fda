// @ts-check
// Keeps the scorekeeper on the device: its page, and every file that this version of it names.
// Games, programs and streams pass by untouched.

/** @typedef {{ version: string, base: string, page: string, files: string[] }} Kept */

const worker = /** @type {ServiceWorkerGlobalScope & { yacht: Kept }} */ (/** @type {unknown} */ (self));
const { version, base, page, files } = worker.yacht; // set above by the server
const OURS = `yacht ${base}/ `;
const PATIENCE = 3000; // a network that takes longer is none

/** The page names files by their versions; one of another version names some that aren't here. */
async function isOurs(/** @type {Response} */ answer) {
  const named = [...(await answer.clone().text()).matchAll(/"(\/[^"\s]*\?v=\w+)"/g)];
  return named.length > 0 && named.every(([, address]) => files.includes(address));
}

/** While servers are updated one may answer that has another version: then all waits. */
async function install() {
  const cache = await caches.open(OURS + version);
  const taken = async (/** @type {string} */ file) => {
    const answer = await fetch(file, { cache: "no-cache" });
    const ours = file === page ? await isOurs(answer) : answer.headers.get("Cache-Control") !== "no-store";
    if (!answer.ok || !ours) throw new Error(file);
    await cache.put(file, answer);
  };
  await Promise.all([page, ...files].map(taken));
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== OURS + version).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** The page from the network, in the language chosen last; without one, or in another version, what is kept. */
async function newest(/** @type {Request} */ request) {
  const cache = await caches.open(OURS + version);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok && (await isOurs(answer))) {
      await cache.put(page, answer.clone());
      return answer;
    }
  } catch {
    // no network
  }
  return (await cache.match(page)) ?? fetch(request);
}

async function kept(/** @type {Request} */ request) {
  const cache = await caches.open(OURS + version);
  return (await cache.match(request)) ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => event.data === "use" && event.waitUntil(worker.skipWaiting()));
worker.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname, search } = new URL(url);
  if (method !== "GET" || origin !== worker.location.origin) return;
  if (mode === "navigate" && pathname === page) event.respondWith(newest(event.request));
  else if (files.includes(pathname + search)) event.respondWith(kept(event.request));
});
