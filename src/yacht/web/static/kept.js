// @ts-check
// The cards of this device: in localStorage, a key for each, with a copy in IndexedDB. What can't
// be kept stays in this page, so that play goes on.

/** @typedef {import("./sheet.js").Card} Card */

const SETTINGS = "yacht"; // those of a game
const CURRENT = "yacht-score";
const CARD = "yacht-score ";
const SHOWN = "yacht-live ";
const DRAFT = "yacht-draft";

/** @typedef {(stored: any) => unknown} Change a value, made of what is stored */
/** Changes that couldn't be kept yet: they come on top of whatever is stored, by other tabs too. */
const waiting = new Map(/** @type {[string, Change[]][]} */ ([]));

/** Whether all cards could be kept. */
export const safe = () => [...waiting.keys()].every((key) => !key.startsWith(CARD));

/** Try to keep what waits; another key may have made room for it. */
function settle() {
  for (const key of waiting.keys()) {
    try {
      const text = JSON.stringify(read(key));
      localStorage.setItem(key, text);
      waiting.delete(key);
      copy(key, text);
    } catch {
      // it goes on waiting
    }
  }
}

/** @param {string} key @param {unknown} value in place of what was there */
function write(key, value) {
  waiting.set(key, [() => value]);
  settle();
}

/** @param {string} key @returns {any} */
function read(key) {
  let stored = null;
  try {
    stored = JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    // as if there were none
  }
  return (waiting.get(key) ?? []).reduce((now, change) => change(now), stored);
}

/** @param {string} key */
function drop(key) {
  waiting.delete(key);
  try {
    localStorage.removeItem(key);
    copy(key, null);
  } catch {
    // then it was only here
  }
  settle();
}

// ---- the copy --------------------------------------------------------------------------------
// Browsers bring localStorage to the disk seconds later: where all of the browser is killed, what
// was entered meanwhile is gone. IndexedDB has it at once.

const COPY = "kept";
const NUMBER = "yacht-number"; // of changes: where the copy has a higher one, it knows more
const copied = (/** @type {string} */ key) => [CURRENT, SHOWN, DRAFT].some((ours) => key.startsWith(ours));

/** @type {Promise<IDBDatabase | null>} null where the browser has none for us */
const database = new Promise((go) => {
  try {
    const asked = indexedDB.open("yacht");
    asked.onupgradeneeded = () => asked.result.createObjectStore(COPY);
    asked.onsuccess = () => go(asked.result);
    asked.onerror = () => go(null);
  } catch {
    go(null);
  }
});

/** @param {string} key @param {string | null} text null for what was removed */
async function copy(key, text) {
  if (!copied(key)) return;
  await restored; // else a new change could pass for newer than what is to be taken back
  try {
    const number = String(Number(localStorage.getItem(NUMBER)) + 1);
    localStorage.setItem(NUMBER, number);
    const store = (await database)?.transaction(COPY, "readwrite", { durability: "strict" }).objectStore(COPY);
    if (text === null) store?.delete(key);
    else store?.put(text, key);
    store?.put(number, NUMBER);
  } catch {
    // then there is no copy
  }
}

/** Take back what the copy alone has. */
async function restore() {
  try {
    const store = (await database)?.transaction(COPY).objectStore(COPY);
    if (!store) return;
    const [keys, texts] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    const copies = new Map(keys.map((key, place) => [String(key), texts[place]]));
    const here = Object.keys(localStorage).filter(copied);
    if (!copies.size) here.forEach((key) => copy(key, localStorage.getItem(key)));
    if (!(Number(copies.get(NUMBER)) > Number(localStorage.getItem(NUMBER)))) return;
    for (const key of here) if (!copies.has(key)) localStorage.removeItem(key);
    for (const [key, text] of copies) localStorage.setItem(key, text);
  } catch {
    // then what is here counts
  }
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((go, fail) => {
    request.onsuccess = () => go(request.result);
    request.onerror = fail;
  });

/** Once what is here is all there is. */
export const restored = restore();

// ---- what is kept ----------------------------------------------------------------------------

function keys() {
  const here = [...waiting.keys()];
  try {
    return new Set([...Object.keys(localStorage), ...here]);
  } catch {
    return new Set(here);
  }
}

/** @param {(value: any) => boolean} isCard @returns {Card[]} the newest first */
export function cards(isCard) {
  return [...keys()]
    .filter((key) => key.startsWith(CARD))
    .map(read)
    .filter(isCard)
    .sort((one, other) => other.started - one.started);
}

/** Whether there is a card, be it a whole one or not. */
export const any = () => [...keys()].some((key) => key.startsWith(CARD));
/** @param {string} id */
export const load = (id) => read(CARD + id);
/** @param {Card} card */
export const save = (card) => write(CARD + card.id, card);
/** @param {string} id @param {(stored: any) => Card} changed the card, made of what is stored then */
export function change(id, changed) {
  waiting.set(CARD + id, [...(waiting.get(CARD + id) ?? []), changed]);
  settle();
}
/** @param {string} id */
export const remove = (id) => drop(CARD + id);

/**
 * The card that is being played, and the dice entered for it so far.
 * @typedef {{ id: string, dice: string, left: number }} Playing
 */
/** @returns {Playing | null} */
export const playing = () => read(CURRENT);
/** @param {Playing} now */
export const play = (now) => write(CURRENT, now);

/** @returns {{ keys?: boolean }} */
export const settings = () => read(SETTINGS) ?? {};
/** @param {boolean} keys whether keys do something */
export const keepKeys = (keys) => write(SETTINGS, { ...settings(), keys });

/** Where a card is shown live, apart from the card, so that no file has its key. @param {string} id */
export const shown = (id) => read(SHOWN + id);
/** @param {string} id @param {unknown} value null for a card that isn't shown */
export const keepShown = (id, value) => (value ? write(SHOWN + id, value) : drop(SHOWN + id));
/** The ids of all cards that are shown live. */
export const allShown = () => [...keys()].filter((key) => key.startsWith(SHOWN)).map((key) => key.slice(SHOWN.length));

/**
 * Names and rules of a card that isn't begun yet.
 * @typedef {{ names: string[], ruleset: string }} Draft
 */
/** @returns {Draft | null} */
export const draft = () => read(DRAFT);
/** @param {Draft | null} draft */
export const keepDraft = (draft) => (draft ? write(DRAFT, draft) : drop(DRAFT));

/**
 * What another tab has changed: a card, what is played, where a card is shown; or it emptied all.
 * @param {{ card: (id: string) => void, playing: () => void, shown: (id: string) => void, all: () => void }} heard
 */
export function listen(heard) {
  addEventListener("storage", ({ key }) => {
    if (key === null) return heard.all();
    if (!key.startsWith(CARD)) waiting.delete(key); // what the other tab says is newer
    if (key === CURRENT) heard.playing();
    else if (key.startsWith(CARD)) heard.card(key.slice(CARD.length));
    else if (key.startsWith(SHOWN)) heard.shown(key.slice(SHOWN.length));
  });
}
