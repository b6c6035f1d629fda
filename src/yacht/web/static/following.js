// @ts-check
// What pages that follow a game share: the live stream, a word when it is lost, one message at a
// time for a screen reader, the column on turn in view.

/** @returns {any} the first element that fits, or null */
const $ = (/** @type {string} */ selector) => document.querySelector(selector);

const SILENCE = 35_000; // the server pings every 15 s

/**
 * Follow the server's events while the page wants them; `hears` has what to do with each kind.
 * @param {object} page
 * @param {() => string} page.address
 * @param {() => boolean} page.wanted
 * @param {Record<string, (data: string) => void>} page.hears
 * @param {(is: boolean) => void} page.away
 */
export function stream({ address, wanted, hears, away }) {
  /** @type {EventSource | null} */
  let source = null;
  let heard = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silent;
  let retry = 1000;

  /** A sign of life. In a tab that is long hidden, intervals are slow; a timer that an event sets isn't. */
  function hear() {
    heard = Date.now();
    clearTimeout(silent);
    silent = setTimeout(() => source && listen(), SILENCE);
  }

  function listen() {
    source?.close();
    hear();
    const opened = (source = new EventSource(address()));
    const alive = () => {
      hear();
      retry = 1000;
      away(false);
    };
    opened.addEventListener("ping", alive);
    opened.addEventListener("again", () => source === opened && listen()); // a player shows to be there
    opened.addEventListener("gone", () => location.reload());
    for (const [kind, act] of Object.entries(hears)) {
      opened.addEventListener(kind, (event) => {
        alive();
        act(event.data);
      });
    }
    opened.onerror = () => {
      away(true);
      if (opened.readyState === EventSource.CLOSED && source === opened) {
        setTimeout(() => source === opened && listen(), (retry = Math.min(retry * 1.6, 10_000)));
      }
    };
  }

  function attend() {
    if (!wanted()) {
      source?.close();
      source = null;
    } else if (!source) listen();
  }

  setInterval(() => {
    if (source && Date.now() - heard > SILENCE) listen(); // the machine slept, and its timers too
  }, 5000);
  document.addEventListener("visibilitychange", attend);
  addEventListener("pageshow", (event) => event.persisted && attend());
  attend();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let alarm;

/** A short drop isn't worth a word. @param {boolean} is @param {() => string} which of the line's texts */
export function away(is, which = () => "text") {
  const line = /** @type {HTMLElement} */ ($("#away"));
  if (!is) {
    clearTimeout(alarm);
    alarm = undefined;
    line.hidden = true;
    line.textContent = "";
    return;
  }
  const tell = () => {
    line.textContent = line.dataset[which()] ?? "";
    line.hidden = false;
  };
  if (line.hidden) alarm ??= setTimeout(tell, 2500);
  else tell();
}

/** One polite message for an event; the same words twice are said twice. @param {string} text */
export function say(text) {
  $("#status").textContent = "";
  requestAnimationFrame(() => ($("#status").textContent = text));
}

let seen = "";

/** Another turn brings its column into view, beside the names of the boxes. */
export function showTurn() {
  const column = $(".card [aria-current]");
  if (!column || column.id === seen) return;
  seen = column.id;
  $("#scroll").scrollLeft = column.offsetLeft - $(".card tbody th").offsetWidth;
}
