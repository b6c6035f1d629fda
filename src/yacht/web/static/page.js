// @ts-check
// What the scorekeeper's page is made of: its elements, what the server tells it, its words and
// numbers, and what it says to people.

/** @typedef {{ boxes: string[], rolls: number, table: string }} Ruleset */

/** @returns {any} the element with this id */
export const $ = (/** @type {string} */ id) => document.getElementById(id);

/** @type {import("./sheet.js").Limits & { rolls: string[], rulesets: Record<string, Ruleset> }} */
export const told = JSON.parse($("told").textContent);
/** @type {{ [sentence: string]: any, boxes: Record<string, string>, rulesets: Record<string, string>, left: string[] }} */
export const texts = JSON.parse($("texts").textContent);

/** @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} children */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @param {string} symbol */
export function drawn(symbol) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
}

// ---- words and numbers -----------------------------------------------------------------------

export const whole = (/** @type {number} */ n) => String(n); // points have no thousands
export const decimal = (/** @type {number} */ n) => n.toFixed(1).replace(".", texts.point);
/** The day of a time in milliseconds, where this device is. (Browsers know no Bosnian months.) */
export const date = (/** @type {number} */ time) => {
  const day = new Date(time);
  return texts.dates[day.getMonth()].replace("{d}", day.getDate()).replace("{y}", day.getFullYear());
};

/** A sentence with its names filled in. @param {string} key @param {Record<string, string | number>} values @returns {string} */
export const text = (key, values = {}) =>
  texts[key].replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {string} */ name) => {
    const value = values[name];
    return typeof value === "number" ? whole(value) : value;
  });

// ---- what it says ----------------------------------------------------------------------------

/** One polite message for an event; the same words twice are said twice. */
export function say(/** @type {string} */ words) {
  $("status").textContent = "";
  requestAnimationFrame(() => ($("status").textContent = words));
}

let warned = "";

/** What went wrong, or came of a file, until something else is done; once closed it isn't said again. */
export function warn(/** @type {string} */ words) {
  if (words === warned) return;
  warned = words;
  $("notice-text").textContent = words;
  $("notice").hidden = !words;
}
$("close-notice").addEventListener("click", () => ($("notice").hidden = true));

/** @param {string} words @returns {Promise<boolean>} whether the answer is yes */
export function ask(words) {
  const dialog = $("question");
  $("question-text").textContent = words;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) => dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true }));
}
