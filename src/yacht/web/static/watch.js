// @ts-check
// A scorecard that somebody else keeps: shows its newest state, and says once what is new.

import * as following from "./following.js";

/** @returns {any} the first element that fits, or null */
const $ = (/** @type {string} */ selector) => document.querySelector(selector);
const game = () => /** @type {HTMLElement} */ ($("#game"));

/** The time of the last change where this browser is; without script it is the server's. */
function tellTime() {
  const when = /** @type {HTMLTimeElement} */ ($("#when"));
  const style = { dateStyle: /** @type {const} */ ("medium"), timeStyle: /** @type {const} */ ("short") };
  when.textContent = new Intl.DateTimeFormat(document.documentElement.lang, style).format(new Date(when.dateTime));
}

function ready() {
  document.title = game().dataset.title ?? document.title;
  tellTime();
  following.showTurn();
}

function show(/** @type {string} */ html) {
  const next = new DOMParser().parseFromString(html, "text/html").getElementById("game");
  if (!next || Number(next.dataset.seq) <= Number(game().dataset.seq)) return;
  // @ts-ignore (a classic script that was loaded before)
  Idiomorph.morph(game(), next, { morphStyle: "outerHTML" });
  ready();
  following.say(game().dataset.say ?? "");
}

ready();
following.stream({
  address: () => `${location.pathname}/live?since=${game().dataset.seq}`,
  wanted: () => !document.hidden,
  hears: { game: show },
  away: following.away,
});
