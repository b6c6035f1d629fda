// @ts-check
// Cards that are shown live: each sends its newest state whenever it has changed and there is a
// network, also after a reload. What still has to be sent is kept on the device.

/**
 * Where a card is shown. Without an id it is to be, and with `ends` no longer; `number` is that of
 * its newest state, `due` while that hasn't arrived.
 * @typedef {{ id: string, key: string, link: string, number: number, due: boolean, ends: boolean }} Shown
 */
/** @typedef {"" | "shown" | "waiting" | "gone"} State */
/**
 * @typedef {object} Page
 * @property {string} address to which sheets are sent
 * @property {(card: string) => Shown | null} load
 * @property {(card: string, shown: Shown | null) => void} save
 * @property {(card: string) => object | null} sheetOf a card as it is sent, null if there is none
 * @property {(card: string, state: State) => void} tell whenever the state of a card is another
 */

const PAUSE = 250; // several quick entries are sent as one
const FIRST = 1000;
const LONGEST = 30_000;
const PATIENCE = 10_000;

/** @param {Page} page */
export function live({ address, load, save, sheetOf, tell }) {
  const sending = new Set(/** @type {string[]} */ ([]));
  const waits = new Map(/** @type {[string, () => void][]} */ ([]));
  const states = new Map(/** @type {[string, State][]} */ ([]));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;

  /** @param {string} card @param {State} state */
  function now(card, state) {
    states.set(card, state);
    tell(card, state);
  }

  /** What a card's newest state is to be sent under; higher also on another device's clock. */
  const next = (/** @type {number} */ last) => Math.max(Date.now(), last + 1);

  /** @param {string} card */
  function begin(card) {
    const before = load(card) ?? { id: "", key: "", link: "", number: 0 };
    save(card, { ...before, number: next(before.number), due: true, ends: false });
    now(card, "waiting");
    send(card);
  }

  /** @param {string} card */
  function changed(card) {
    const shown = load(card);
    if (!shown || shown.ends) return;
    save(card, { ...shown, number: next(shown.number), due: true });
    clearTimeout(pause);
    pause = setTimeout(() => send(card), PAUSE);
  }

  /** @param {string} card */
  function end(card) {
    const shown = load(card);
    save(card, shown?.id ? { ...shown, due: true, ends: true } : null);
    now(card, "");
    send(card);
  }

  /** A new card takes over where an old one was shown. @param {string} from @param {string} to */
  function move(from, to) {
    const shown = load(from);
    if (!shown || shown.ends) return;
    save(from, null);
    save(to, shown);
    states.delete(from);
    changed(to);
  }

  /** @param {string} card */
  async function send(card) {
    if (sending.has(card)) return waits.get(card)?.();
    sending.add(card);
    for (let wait = FIRST; load(card)?.due; wait = Math.min(2 * wait, LONGEST)) {
      const pause = await once(card).catch(() => wait);
      if (!pause) continue;
      now(card, load(card)?.ends ? "" : "waiting");
      await new Promise((go) => {
        waits.set(card, () => go(null));
        setTimeout(go, Math.max(pause, wait));
      });
      waits.delete(card);
    }
    sending.delete(card);
  }

  /** One try; how long to wait in milliseconds before the next, 0 if it came to an end. @param {string} card */
  async function once(card) {
    const { id, key, number, ends } = /** @type {Shown} */ (load(card));
    const sheet = sheetOf(card);
    if (!ends && !sheet) return end(card), 0;
    const answer = await fetch(id ? `${address}/${id}` : address, {
      method: ends ? "DELETE" : id ? "PUT" : "POST",
      headers: { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) },
      body: ends ? null : JSON.stringify({ number, sheet }),
      signal: AbortSignal.timeout(PATIENCE),
      keepalive: true,
    });
    if (answer.status === 429 || answer.status >= 500) return 1000 * (Number(answer.headers.get("Retry-After")) || 1);
    const begun = answer.ok && !id ? await answer.json() : {};
    const latest = load(card); // it may have changed, or its end been asked for, meanwhile
    if (!answer.ok || ends) {
      save(card, null);
      if (latest && !latest.ends && ends) begin(card);
      else now(card, ends ? "" : "gone");
    } else if (latest) {
      save(card, { ...latest, ...begun, due: latest.ends || latest.number !== number });
      if (!latest.ends) now(card, "shown");
    } else if (begun.id) {
      save(card, { ...begun, number, due: true, ends: true });
    }
    return 0;
  }

  addEventListener("online", () => waits.forEach((go) => go()));

  return {
    begin,
    changed,
    end,
    move,
    send,
    /** @param {string} card @returns {{ state: State, link: string }} */
    of(card) {
      const shown = load(card);
      if (!shown || shown.ends) return { state: states.get(card) === "gone" ? "gone" : "", link: "" };
      return { state: states.get(card) ?? (shown.due ? "waiting" : "shown"), link: shown.link };
    },
  };
}

/**
 * The part of the page that shows a card live. `page` has what cards.js gets, the card that is
 * shown here and how it is sent.
 * @param {any} page
 */
export function mount({ $, kept, ready, sheetOf, shownHere }) {
  const where = $("live");
  const shows = live({
    address: where.dataset.address,
    load: kept.shown,
    save: kept.keepShown,
    sheetOf,
    tell: (card) => card === shownHere() && render(),
  });

  function render() {
    const { state, link } = shows.of(shownHere());
    const on = state === "shown" || state === "waiting";
    $("show-live").hidden = on;
    $("shown-live").hidden = !on;
    $("watched").hidden = !link;
    const words = where.dataset[state] ?? "";
    if ($("live-state").textContent !== words) $("live-state").textContent = words;
    $("live-link").value = link;
    const code = link && state === "shown" && `${new URL(link).pathname}/code`;
    if (code && $("live-code").getAttribute("src") !== code) $("live-code").src = code;
  }

  $("live-code").addEventListener("load", () => ($("live-code").hidden = false));
  $("live-code").addEventListener("error", () => ($("live-code").hidden = true)); // there is no network
  $("show-live").addEventListener("click", () => {
    shows.begin(shownHere());
    $("hide-live").focus();
  });
  $("hide-live").addEventListener("click", () => {
    shows.end(shownHere());
    $("show-live").focus();
  });
  ready.then(() => kept.allShown().forEach(shows.send)); // without the tables no card can be read
  return { ...shows, render };
}
