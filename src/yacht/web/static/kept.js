// @ts-check
// The cards of this device: in localStorage, a key for each. What can't be kept there stays in
// this page, so that play goes on.

/** @typedef {import("./sheet.js").Card} Card */

const SETTINGS = "yacht"; // those of a game
const CURRENT = "yacht-score";
const CARD = "yacht-score ";
const SHOWN = "yacht-live ";
const unkept = new Map(/** @type {[string, unknown][]} */ ([]));

/** Whether everything could be kept. */
export const safe = () => unkept.size === 0;

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    unkept.delete(key);
  } catch {
    unkept.set(key, value);
  }
}

/** @param {string} key @returns {any} */
function read(key) {
  if (unkept.has(key)) return unkept.get(key);
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key */
function drop(key) {
  unkept.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // then it was only here
  }
}

function keys() {
  const here = [...unkept.keys()];
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
