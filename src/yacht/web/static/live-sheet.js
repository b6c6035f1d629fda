// @ts-check
// Cards that are shown live: each sends its newest state whenever it has changed and there is a
// network, also after a reload. What still has to be sent is kept on the device.

/**
 * Where a card is shown: its key is made here, so that a request that is sent again begins nothing
 * new; the link, and its QR code, come with the first answer. With `ends` it is to be shown no
 * longer; `number` is that of its newest state, `due` while that hasn't arrived.
 * @typedef {{ key: string, link: string, code: string, number: number, due: boolean, ends: boolean }} Shown
 */
/** @typedef {"" | "shown" | "waiting" | "refused" | "gone"} State */
/**
 * @typedef {object} Page
 * @property {string} address to which sheets are sent
 * @property {(card: string) => Shown | null} load
 * @property {(card: string, shown: Shown | null) => void} save
 * @property {(card: string) => object | null} sheetOf a card as it is sent, null if there is none
 * @property {(card: string) => void} tell whenever the state of a card is another
 */

const PAUSE = 250; // several quick entries are sent as one
const FIRST = 1000;
const LONGEST = 30_000;
const PATIENCE = 10_000;

/** 256 random bits in 43 signs. */
const newKey = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))).replace(/[+/=]/g, (sign) => ({ "+": "-", "/": "_" })[sign] ?? "");

/** @param {Page} page */
export function live({ address, load, save, sheetOf, tell }) {
  const sending = new Set(/** @type {string[]} */ ([]));
  const waits = new Map(/** @type {[string, () => void][]} */ ([]));
  const pauses = new Map(/** @type {[string, ReturnType<typeof setTimeout>][]} */ ([]));
  const states = new Map(/** @type {[string, { state: State, why: string }][]} */ ([]));

  /** @param {string} card @param {State} state @param {string} why what the server says against it */
  function now(card, state, why = "") {
    states.set(card, { state, why });
    tell(card);
  }

  /** What a card's newest state is to be sent under; higher also on another device's clock. */
  const next = (/** @type {number} */ last) => Math.max(Date.now(), last + 1);

  /** @param {string} card */
  function begin(card) {
    const { key, number } = load(card) ?? { key: newKey(), number: 0 };
    save(card, { key, link: "", code: "", number: next(number), due: true, ends: false });
    now(card, "waiting");
    send(card);
  }

  /** @param {string} card */
  function changed(card) {
    const shown = load(card);
    if (!shown || shown.ends) return;
    save(card, { ...shown, number: next(shown.number), due: true });
    clearTimeout(pauses.get(card));
    pauses.set(card, setTimeout(() => send(card), PAUSE));
  }

  /** @param {string} card */
  function end(card) {
    const shown = load(card);
    if (shown) save(card, { ...shown, due: true, ends: true });
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
      const rest = await once(card).catch(() => wait);
      if (!rest) continue;
      if (rest < Infinity) now(card, load(card)?.ends ? "" : "waiting");
      await new Promise((go) => {
        waits.set(card, () => go(null));
        if (rest < Infinity) setTimeout(go, Math.max(rest, wait));
      });
      waits.delete(card);
    }
    sending.delete(card);
  }

  /**
   * One try; how long to wait in milliseconds before the next, 0 if it came to an end. What answers
   * needn't be our server: before one is logged in, some networks answer everything.
   * @param {string} card
   */
  async function once(card) {
    const { key, link, number, ends } = /** @type {Shown} */ (load(card));
    const sheet = sheetOf(card);
    if (!ends && !sheet) return end(card), 0;
    const answer = await fetch(address, {
      method: ends ? "DELETE" : link ? "PUT" : "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
      body: ends ? null : JSON.stringify({ number, sheet }),
      signal: AbortSignal.timeout(PATIENCE),
      keepalive: true,
    });
    const told = await answer.json().catch(() => null);
    const gone = answer.status === 404 && told?.error?.reason === "no_such_sheet";
    const latest = load(card); // it may have changed, moved on, or its end been asked for, meanwhile
    if (latest?.key !== key) return 0;
    if (ends ? gone || answer.status === 204 : gone && link) {
      if (ends && !latest.ends) return 0;
      save(card, null);
      now(card, latest.ends ? "" : "gone");
    } else if (answer.ok && told?.number >= number) {
      save(card, { ...latest, link: told.link ?? latest.link, code: told.code ?? latest.code, due: latest.ends || latest.number !== number });
      if (!latest.ends) now(card, "shown");
    } else if ([400, 422].includes(answer.status) && told?.error && !latest.ends) {
      now(card, "refused", told.error.message);
      return Infinity; // until the card is another
    } else return 1000 * (Number(answer.headers.get("Retry-After")) || 1);
    return 0;
  }

  addEventListener("online", () => waits.forEach((go) => go()));

  return {
    begin,
    changed,
    end,
    move,
    send,
    /** @param {string} card @returns {{ state: State, why: string, link: string, code: string }} */
    of(card) {
      const shown = load(card);
      const { state, why } = states.get(card) ?? { state: shown?.due ? "waiting" : "shown", why: "" };
      if (!shown || shown.ends) return { state: state === "gone" ? "gone" : "", why: "", link: "", code: "" };
      return { state, why, link: shown.link, code: shown.code };
    },
  };
}

/**
 * The part of the page that shows a card live.
 * @param {object} given
 * @param {(id: string) => any} given.$
 * @param {typeof import("./kept.js")} given.kept
 * @param {Promise<unknown>} given.ready once the tables are there, without which no card can be read
 * @param {Page["sheetOf"]} given.sheetOf
 * @param {() => string | undefined} given.shownHere
 */
export function mount({ $, kept, ready, sheetOf, shownHere }) {
  const here = () => shownHere() ?? "";
  const where = $("live");
  const shows = live({
    address: where.dataset.address,
    load: kept.shown,
    save: kept.keepShown,
    sheetOf,
    tell: (card) => {
      if (card === shownHere()) render();
    },
  });

  let drawn = ""; // the link whose code is there

  function render() {
    const { state, why, link, code } = shows.of(here());
    const on = state !== "" && state !== "gone";
    $("show-live").hidden = on;
    $("shown-live").hidden = !on;
    $("watched").hidden = !link;
    const words = `${where.dataset[state] ?? ""} ${why}`.trim();
    if ($("live-state").textContent !== words) $("live-state").textContent = words;
    $("live-link").value = link;
    if (link === drawn) return;
    drawn = link;
    $("live-code").replaceChildren(...new DOMParser().parseFromString(code, "text/html").body.children);
  }

  $("show-live").addEventListener("click", () => {
    shows.begin(here());
    $("hide-live").focus();
  });
  $("hide-live").addEventListener("click", () => {
    shows.end(here());
    $("show-live").focus();
  });
  ready.then(() => kept.allShown().forEach(shows.send));
  return { ...shows, render };
}
