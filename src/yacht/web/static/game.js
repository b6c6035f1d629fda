// @ts-check
// The page of a game: sends its two forms, takes the newest state, throws the dice.
// It knows no rule of the game; everything it shows or says comes in the page.

import * as following from "./following.js";
import { say } from "./following.js";

/** @returns {any} the first element that fits, or null */
const $ = (/** @type {string} */ selector) => document.querySelector(selector);
/** @returns {any[]} */
const all = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)];
const game = () => /** @type {HTMLElement} */ ($("#game"));
const room = location.pathname;

// ---- what this browser remembers -------------------------------------------------------------

/** What a browser may refuse to keep, or may have kept wrongly, is as if it weren't there. */
function recall(/** @type {"localStorage" | "sessionStorage"} */ where, /** @type {string} */ key) {
  try {
    return JSON.parse(window[where].getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {"localStorage" | "sessionStorage"} where @param {string} key @param {unknown} value */
function remember(where, key, value) {
  try {
    window[where].setItem(key, JSON.stringify(value));
  } catch {
    // then it isn't kept
  }
}

const settings = { animation: "full", onetap: false, keys: true, ...recall("localStorage", "yacht") };
const holdsKey = () => `${room} ${game().dataset.roll}`;

function rememberHolds() {
  remember("sessionStorage", holdsKey(), keeps().map((keep) => keep.checked));
}

function restoreHolds() {
  const held = recall("sessionStorage", holdsKey());
  if (Array.isArray(held)) keeps().forEach((keep, place) => (keep.checked = held[place] === true));
}

// ---- the controls ----------------------------------------------------------------------------

const keeps = () => /** @type {HTMLInputElement[]} */ (all(".die input:enabled"));
const boxes = () => /** @type {HTMLInputElement[]} */ (all(".open input:enabled"));
const chosen = () => boxes().find((box) => box.checked);

/** What the buttons say follows from the held dice and the chosen box. */
function label() {
  const roll = $("#roll");
  const score = $("#score");
  if (!roll || !score) return;
  roll.dataset.text ??= roll.textContent ?? "";
  if (keeps().length) {
    const allHeld = keeps().every((keep) => keep.checked);
    roll.textContent = (allHeld ? roll.dataset.allHeld : roll.dataset.text) ?? "";
    disable(roll, allHeld);
  }
  const box = chosen();
  score.textContent = box?.ariaLabel ?? score.dataset.choose ?? "";
  disable(score, !box);
}

/** @param {HTMLElement} button @param {boolean} is */
function disable(button, is) {
  if (is) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

// ---- sending ---------------------------------------------------------------------------------

let last = { control: "", at: -Infinity }; // a second press of the same control at once is the same
let sending = false;

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
async function send(form, button) {
  if (sending || rolling || !button || button.getAttribute("aria-disabled") === "true") return;
  const control = button.className === "aside" ? "aside" : button.id; // Undo makes way for Hint
  if (control === last.control && performance.now() - last.at < 400) return;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, button)));
  rememberSeal(body);
  sending = true;
  if (!$("#away").hidden) away(true); // what was pressed is kept
  try {
    const { html } = await post(form.action, body);
    last = { control, at: performance.now() };
    await show(html);
  } finally {
    sending = false;
  }
}

const PATIENCE = 10_000; // how long an answer may take before the same act is sent again
let retryNow = (/** @type {any} */ _) => {}; // the connection is back: post at once
const away = (/** @type {boolean} */ is) => following.away(is, () => (sending ? "waits" : "text"));

/** Post until a whole answer comes: the same act at the same number happens once. */
async function post(/** @type {string} */ url, /** @type {URLSearchParams} */ body) {
  for (let wait = 500; ; wait = Math.min(2 * wait, 8000)) {
    try {
      const answer = await fetch(url, {
        method: "POST",
        body,
        headers: { "Yacht-Part": "game" },
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (![429, 502, 503, 504].includes(answer.status)) return { ok: answer.ok, html: await answer.text() };
      wait = Math.max(wait, 1000 * (Number(answer.headers.get("Retry-After")) || 0));
    } catch {
      // no connection, or it broke: try again
    }
    away(true);
    await new Promise((go) => setTimeout((retryNow = go), wait));
  }
}

// ---- the newest state ------------------------------------------------------------------------

/** @type {HTMLElement | null} */
let waiting = null; // the newest state that came while the dice were rolling
let rolling = false;
let newest = Number(game().dataset.seq);

/** Take a state, roll the dice to it if they were rolled, then show it. An older one is dropped. */
async function show(/** @type {string} */ html) {
  const sent = new DOMParser().parseFromString(html, "text/html");
  const next = sent.getElementById("game");
  const notice = sent.getElementById("notice");
  away(false);
  if (!next) return tell(notice);
  if (next.dataset.phase !== game().dataset.phase) return begin(notice);
  const seq = Number(next.dataset.seq);
  const news = notice || next.querySelector("#slip") || next.dataset.around !== game().dataset.around;
  if (seq < newest || (seq === newest && !news)) return;
  const rolled = seq > newest && next.dataset.last === "rolled";
  newest = seq;
  if (rolling) {
    const pending = waiting?.querySelector("#notice");
    if (pending && !notice) next.prepend(pending);
    waiting = next;
    return;
  }
  if (rolled && next.dataset.roll !== game().dataset.roll) {
    rolling = true;
    game().classList.add("rolling");
    await tumble(next);
    rolling = false;
  }
  const last = waiting ?? next;
  waiting = null;
  apply(last);
}

/** The game has begun: its page is another one, and tells whoever wanted to sit down. */
function begin(/** @type {HTMLElement | null} */ notice) {
  const watches = notice?.textContent ?? game().dataset.late;
  if (watches) remember("sessionStorage", `${room} late`, watches);
  location.reload();
}

function tellLate() {
  const watches = recall("sessionStorage", `${room} late`);
  if (!watches || game().dataset.phase !== "game") return;
  sessionStorage.removeItem(`${room} late`);
  const notice = document.createElement("p");
  notice.id = notice.className = "notice";
  notice.textContent = watches;
  tell(notice);
}

/** What went wrong, over a game that is as it was; where nothing is said, its page says it. */
function tell(/** @type {HTMLElement | null} */ notice) {
  if (!notice) return location.reload();
  $("#notice")?.remove();
  game().prepend(notice);
  say(notice.textContent ?? "");
}

function apply(/** @type {HTMLElement} */ next) {
  const { said, around } = game().dataset;
  const focused = document.activeElement ?? document.body;
  const texts = /** @type {Text[]} */ ([]); // each is put anew, else a centred number counts as moved
  // @ts-ignore (a classic script that was loaded before)
  Idiomorph.morph(game(), next, {
    morphStyle: "outerHTML",
    callbacks: {
      // what people opened stays open, and what they typed or chose stays as it is
      beforeAttributeUpdated: (/** @type {string} */ name, /** @type {HTMLElement} */ node) =>
        !["open", "style", "tabindex", "selected"].includes(name) && !(name === "value" && node.matches("[name=salt], #name")),
      beforeNodeMorphed: (/** @type {Node} */ old, /** @type {Node} */ fresh) => {
        if (old instanceof Text && old.data !== fresh.nodeValue) texts.push(old);
      },
    },
  });
  for (const text of texts) text.replaceWith(text.data);
  ready();
  const has = document.activeElement ?? document.body;
  if (focused !== document.body && (has === document.body || has.matches(":disabled"))) {
    const back = $("#result h1") ?? $("#roll") ?? $("#game h1");
    if (back?.matches("h1")) back.tabIndex = -1; // to read first; a key held too long acts on nothing
    back?.focus({ preventScroll: back.id === "roll" });
  }
  const news = game().dataset.said !== said;
  const hint = $("#slip")?.dataset.say;
  $("#slip")?.scrollIntoView({ block: "nearest" });
  const missing = game().dataset.around === around ? "" : $("#missing")?.textContent;
  const words = [$("#notice")?.textContent, news ? game().dataset.say : "", missing, hint].filter(Boolean);
  if (words.length) say(words.join(" "));
}

/** After each change of the page: what only a script can set. */
function ready() {
  document.title = game().dataset.title ?? document.title;
  for (const box of boxes()) box.checked = false;
  for (const keep of keeps()) keep.checked = keep.defaultChecked;
  restoreHolds();
  all("[data-open]").forEach((button) => (button.hidden = false));
  for (const salt of /** @type {HTMLInputElement[]} */ (all("input[name=salt]"))) {
    salt.value ||= btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(15))));
  }
  sealAhead();
  checkSeal();
  label();
  following.showTurn();
  tick();
}

const sealKey = `yacht-seal ${room} `;

/** What this browser sent for the seal, and the seal it saw, are kept until the end. Two tabs may
 *  send at once, and the first one's letters count: so each has an entry of its own. */
function rememberSeal(/** @type {URLSearchParams} */ body) {
  const letters = body.get("salt");
  if (letters && game().dataset.print) remember("localStorage", sealKey + letters, game().dataset.print);
}

/** At the end the page looks whether the seal is the same, and has letters that were sent. */
function checkSeal() {
  const check = $("#kept");
  const sent = check ? sealsSent() : [];
  if (!sent.length) return;
  const hex = (/** @type {string} */ letters) =>
    [...new TextEncoder().encode(letters)].map((b) => b.toString(16).padStart(2, "0")).join("");
  const right =
    sent.some((letters) => check.dataset.bytes.split(" ").includes(hex(letters))) &&
    sent.every((letters) => recall("localStorage", sealKey + letters) === game().dataset.print);
  check.textContent = right ? check.dataset.right : check.dataset.wrong;
  check.hidden = false;
  if (!right) $("#seal").open = true;
}

function sealsSent() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(sealKey));
    return keys.map((key) => key.slice(sealKey.length));
  } catch {
    return [];
  }
}

let ahead = 0; // milliseconds that the server's clock is ahead of this one
/** @type {[number, string[]][]} a day's and an hour's seconds, with the words for one, two and more */
const spans = JSON.parse($("#spans")?.textContent ?? "[]");

/** The turn clock, which goes on by itself: in days, in hours, at last in minutes and seconds. */
function tick() {
  const clock = $("#clock");
  if (!clock?.dataset.due) return;
  const left = Math.max(0, Math.floor(clock.dataset.due - (Date.now() + ahead) / 1000));
  const [span, said] = spans.find(([span]) => left >= span) ?? [60];
  const whole = Math.floor(left / span);
  clock.textContent = said ? said[whole - 1] ?? "" : `${whole}:${String(left % 60).padStart(2, "0")}`;
  clock.classList.toggle("soon", left <= 10);
}
setInterval(tick, 1000);

let sealing = false;

/** The random letters of whoever has a seat already, and where a computer rolls first, go ahead. */
async function sealAhead() {
  const form = /** @type {HTMLFormElement | null} */ ($("#ahead"));
  if (!form || sealing) return;
  sealing = true;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  rememberSeal(body);
  const answer = await post(form.action, body);
  if (answer.ok) return show(answer.html);
  localStorage.removeItem(sealKey + body.get("salt")); // others came first: nothing to check, or to tell
}

// ---- the throw -------------------------------------------------------------------------------

let skip = () => {};

/** Roll the dice that weren't kept until they lie on the faces of the next state. */
async function tumble(/** @type {HTMLElement} */ next) {
  const still = document.hidden || settings.animation === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still) return;
  const span = settings.animation === "quick" ? 280 : 620;
  const dice = /** @type {HTMLElement[]} */ ([...next.querySelectorAll(".die:not([data-kept])")]);
  const throws = dice.flatMap((die, place) => {
    const now = document.getElementById(die.id);
    return now ? [fling(now, Number(die.dataset.face), span, place)] : [];
  });
  const ended = Promise.all(throws.map((one) => one.finished.catch(() => {})));
  skip = () => throws.forEach((one) => one.finish());
  await ended;
  skip = () => {};
}

/** @param {HTMLElement} die @param {number} face @param {number} span @param {number} place */
function fling(die, face, span, place) {
  die.classList.remove("blank");
  const shown = /** @type {SVGUseElement} */ (die.querySelector("use"));
  const svg = /** @type {SVGElement} */ (die.querySelector(".face"));
  const random = (/** @type {number} */ low, /** @type {number} */ high) => low + Math.random() * (high - low);
  const side = Math.random() < 0.5 ? -1 : 1;
  const turns = side * (360 + 90 * Math.floor(random(0, 3)));
  const time = span + place * (span / 12);
  const flight = svg.animate(
    [
      { transform: `translate(${random(-34, 34)}px, ${random(40, 76)}px) rotate(${turns}deg) scale(1.06)`, easing: "cubic-bezier(.2,.6,.4,1)" },
      { transform: `translate(${random(-16, 16)}px, ${random(-34, -16)}px) rotate(${turns * 0.4}deg) scale(1.16)`, offset: 0.45, easing: "cubic-bezier(.5,0,.8,.6)" },
      { transform: `translate(0, 3px) rotate(${side * 12}deg) scale(.97)`, offset: 0.8, easing: "ease-out" },
      { transform: "none" },
    ],
    { duration: time },
  );
  const flicker = setInterval(() => shown.setAttribute("href", `#d${Math.ceil(Math.random() * 6)}`), 70);
  flight.finished.catch(() => {}).finally(() => {
    clearInterval(flicker);
    shown.setAttribute("href", `#d${face}`);
  });
  return flight;
}

// ---- what people do --------------------------------------------------------------------------

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-live]")) return;
  event.preventDefault();
  send(form, event.submitter ?? (form.id === "card" ? $("#score") : null));
});

addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.name === "keep") rememberHolds();
  if (input.name === "keep" || input.name === "box") label();
});

// A tap while the dice roll ends the roll and is nothing else.
let skipping = false;
addEventListener("pointerdown", (event) => {
  $("#notice")?.remove();
  if (!(/** @type {Element} */ (event.target).closest("#slip"))) putAway();
  skipping = rolling;
  skip();
});
addEventListener(
  "click",
  (event) => {
    if (!skipping || !(/** @type {PointerEvent} */ (event).detail)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

/** A hint goes when it was read, and its marks with it. */
function putAway() {
  $("#slip")?.remove();
  all(".advised").forEach((marked) => marked.classList.remove("advised"));
}

// A second tap on the chosen box drops the choice.
let was = false;
addEventListener("pointerdown", (event) => {
  const box = /** @type {Element} */ (event.target).closest(".open label")?.querySelector("input");
  was = box?.checked ?? false;
});
addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const opens = target.closest("[data-open]");
  if (opens) openSettings();
  if (target.closest("#slip .close")) {
    event.preventDefault();
    putAway();
    $("#hint")?.focus({ preventScroll: true });
  }
  if (target.matches(".open input") && /** @type {PointerEvent} */ (event).detail > 0) {
    const box = /** @type {HTMLInputElement} */ (target);
    if (was) box.checked = false;
    label();
    if (settings.onetap && box.checked && box.form) send(box.form, $("#score"));
  }
});

let skipped = false; // the key that is down ended a roll
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const presses = event.key === "Enter" || event.key === " ";
  if (event.repeat && event.key === "Enter") event.preventDefault(); // held down it acts once
  const typing = target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (!settings.keys || event.repeat) return;
  if (rolling) {
    skipped = true;
    skip();
    if (presses) event.preventDefault();
    return;
  }
  const idle = !target.closest("a, button, input, summary, [tabindex]");
  let control = null;
  if (/^[1-5]$/.test(event.key)) control = document.getElementById(`keep${Number(event.key) - 1}`);
  else if (/^r$/i.test(event.key) || (event.key === " " && idle)) control = $("#roll");
  else if (/^u$/i.test(event.key)) control = $("#undo");
  else if (/^h$/i.test(event.key)) control = $("#hint");
  else if (event.key === "Escape") putAway();
  else if (event.key === "?") control = $("[data-open]");
  else if (/^Arrow(Up|Down)$/.test(event.key) && !target.matches("input[type=radio]")) {
    control = chosen() ?? (event.key === "ArrowDown" ? boxes()[0] : boxes().at(-1));
    control?.focus();
  }
  if (!control) return;
  event.preventDefault();
  control.click();
});
addEventListener("keyup", (event) => {
  if (skipped) event.preventDefault();
  skipped = false;
});

function openSettings() {
  const dialog = /** @type {HTMLDialogElement} */ ($("#settings"));
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  const named = /** @type {any} */ (form.elements);
  named.animation.value = settings.animation;
  named.onetap.checked = settings.onetap;
  named.keys.checked = settings.keys;
  form.onchange = () => {
    settings.animation = named.animation.value;
    settings.onetap = named.onetap.checked;
    settings.keys = named.keys.checked;
    remember("localStorage", "yacht", settings);
  };
  dialog.showModal();
}

document.addEventListener("visibilitychange", () => document.hidden && skip()); // a browser may keep dice in the air there

ready();
tellLate();
following.stream({
  address: () => `${room}/live?since=${game().dataset.seq}`,
  // a hidden page needs no stream, but for a seat among friends: its title says “Your turn”
  wanted: () => !document.hidden || Boolean(game().dataset.print && game().dataset.watching === undefined),
  hears: {
    game(html) {
      const before = newest;
      show(html);
      if (newest > before) last.control = ""; // somebody else acted: the same press means another thing
    },
    now: (seconds) => (ahead = Number(seconds) * 1000 - Date.now()),
  },
  away(is) {
    if (!is) retryNow(null);
    away(is);
  },
});
