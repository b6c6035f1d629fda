// @ts-check
// A scorecard that somebody else keeps: shows its newest state, and says once what is new.

/** @returns {any} the first element that fits, or null */
const $ = (/** @type {string} */ selector) => document.querySelector(selector);
const game = () => /** @type {HTMLElement} */ ($("#game"));

/** The time of the last change where this browser is; without script it is the server's. */
function tellTime() {
  const when = /** @type {HTMLTimeElement} */ ($("#when"));
  const style = { dateStyle: /** @type {const} */ ("medium"), timeStyle: /** @type {const} */ ("short") };
  when.textContent = new Intl.DateTimeFormat(document.documentElement.lang, style).format(new Date(when.dateTime));
}

let followed = "";

/** Another turn brings its column into view, beside the names of the boxes. */
function follow() {
  const column = $(".card [aria-current]");
  if (!column || column.id === followed) return;
  followed = column.id;
  $("#scroll").scrollLeft = column.offsetLeft - $(".card tbody th").offsetWidth;
}

function ready() {
  document.title = game().dataset.title ?? document.title;
  tellTime();
  follow();
}

function show(/** @type {string} */ html) {
  const next = new DOMParser().parseFromString(html, "text/html").getElementById("game");
  if (!next || Number(next.dataset.seq) <= Number(game().dataset.seq)) return;
  // @ts-ignore (a classic script that was loaded before)
  Idiomorph.morph(game(), next, { morphStyle: "outerHTML" });
  ready();
  $("#status").textContent = "";
  requestAnimationFrame(() => ($("#status").textContent = game().dataset.say));
}

// ---- the live stream -------------------------------------------------------------------------

const SILENCE = 35_000; // the server pings every 15 s; looked for every 5 s
/** @type {EventSource | null} */
let source = null;
let heard = 0;
let retry = 1000;

function listen() {
  source?.close();
  heard = Date.now();
  const stream = (source = new EventSource(`${location.pathname}/live?since=${game().dataset.seq}`));
  const alive = () => {
    heard = Date.now();
    retry = 1000;
    away(false);
  };
  stream.addEventListener("ping", alive);
  stream.addEventListener("gone", () => location.reload());
  stream.addEventListener("game", (event) => {
    alive();
    show(event.data);
  });
  stream.onerror = () => {
    away(true);
    if (stream.readyState === EventSource.CLOSED && source === stream) {
      setTimeout(() => source === stream && listen(), (retry = Math.min(retry * 1.6, 10_000)));
    }
  };
}

setInterval(() => {
  if (source && Date.now() - heard > SILENCE) listen();
}, 5000);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let alarm;

/** A short drop isn't worth a word. */
function away(/** @type {boolean} */ is) {
  const line = /** @type {HTMLElement} */ ($("#away"));
  clearTimeout(alarm);
  if (is && line.hidden) alarm = setTimeout(() => ((line.textContent = line.dataset.text ?? ""), (line.hidden = false)), 2500);
  if (!is) line.hidden = true;
}

// A hidden page needs no stream.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    source?.close();
    source = null;
  } else if (!source) listen();
});
addEventListener("pageshow", (event) => event.persisted && listen());

ready();
if (!document.hidden) listen();
