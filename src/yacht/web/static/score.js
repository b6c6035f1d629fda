// @ts-check
// The scorekeeper's page: loads its modules, and shows the card that is asked for. It knows no rule
// and no sentence; the points come from the engine's tables, the texts with the page.

/** @typedef {import("./sheet.js").Card} Card */
/** @typedef {import("./coach.js").Table} Table */

/** @returns {any} the element with this id */
const $ = (/** @type {string} */ id) => document.getElementById(id);

// ---- what is loaded --------------------------------------------------------------------------

/**
 * Done again and again until it succeeds.
 * @template T
 * @param {(tried: number) => Promise<T>} act @param {HTMLElement} notice what is shown meanwhile
 */
async function retried(act, notice) {
  for (let tried = 0; ; tried++) {
    try {
      const result = await act(tried);
      notice.hidden = true;
      return result;
    } catch {
      notice.hidden = false;
      await new Promise((go) => setTimeout(go, Math.min(500 * 2 ** tried, 8000)));
    }
  }
}

/**
 * A module under the address that names its version; browsers remember a failure by the whole
 * address, with what follows the #.
 * @param {string} name
 */
const load = (name) => retried((tried) => import($(`${name}-module`).href + (tried ? `#${tried}` : "")), $("no-module"));

const page = /** @type {typeof import("./page.js")} */ (await load("page"));
const sheet = /** @type {typeof import("./sheet.js")} */ (await load("sheet"));
const kept = /** @type {typeof import("./kept.js")} */ (await load("kept"));
const coach = /** @type {typeof import("./coach.js")} */ (await load("coach"));
const playing = /** @type {typeof import("./play.js")} */ (await load("play"));
const draws = /** @type {typeof import("./drawing.js")} */ (await load("drawing"));
const slips = /** @type {typeof import("./slip.js")} */ (await load("slip"));
const hands = /** @type {typeof import("./hands.js")} */ (await load("hands"));
const cards = /** @type {typeof import("./cards.js")} */ (await load("cards"));
const live = /** @type {typeof import("./live-sheet.js")} */ (await load("live-sheet"));
const picture = /** @type {typeof import("./picture.js")} */ (await load("picture"));
const sharing = /** @type {typeof import("./sharing.js")} */ (await load("sharing"));
const { told, text, warn } = page;

/** @param {string} key @returns {Promise<[string, Table]>} */
async function fetched(key) {
  const { boxes, table } = told.rulesets[key];
  const answer = await fetch(table);
  if (!answer.ok) throw new Error(String(answer.status));
  return [key, new coach.Table(told.rolls, boxes, await answer.arrayBuffer())];
}

const tables = /** @type {Record<string, Table>} */ ({}); // before they come, a card can be set up
const all = () => Promise.all(Object.keys(told.rulesets).map(fetched));
const ready = Promise.all([retried(all, $("no-table")), kept.restored]).then(([got]) => Object.assign(tables, Object.fromEntries(got)));

// ---- the parts of the page -------------------------------------------------------------------

const play = playing.mount({ page, sheet, kept, tables, changed: (id) => shows.changed(id) });
const drawing = draws.mount({ page, sheet, play });
const slip = slips.mount({ page, play, drawing });
const shares = sharing.mount({ page, sheet, picture, play });

/** A card of this device as it is sent to those who watch. @param {string} id */
function sheetOf(id) {
  const card = play.load(id);
  if (!card) return null;
  const rules = tables[card.ruleset];
  const written = sheet.fold(card, rules);
  const boxes = (/** @type {number} */ player) => Object.fromEntries(rules.boxes.map((box, place) => [box, written[player][place]]));
  return { ruleset: card.ruleset, players: card.names.map((name, player) => ({ name, boxes: boxes(player) })) };
}

const shows = live.mount({ $, kept, ready, sheetOf, shownHere: () => play.state.card?.id });

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const start = cards.mount({
  page,
  sheet,
  play,
  tables,
  ready,
  saveFile: shares.saveFile,
  newId,
  go,
  kept: {
    ...kept,
    /** A card that is replaced is shown as it is then. @param {Card} card */
    save(card) {
      kept.save(card);
      shows.changed(card.id);
    },
    /** A card that is deleted isn't shown either. @param {string} id */
    remove(id) {
      kept.remove(id);
      shows.end(id);
    },
  },
});

const hand = hands.mount({
  page,
  kept,
  play,
  drawing,
  slip,
  others: {
    again() {
      const next = sheet.again(play.card(), newId(), Date.now());
      kept.save(next);
      shows.move(play.card().id, next.id); // who watches goes on watching
      go(next.id);
    },
    change: () => go(play.card().id),
    "share-text": shares.shareText,
    "share-picture": shares.sharePicture,
    "save-file": () => shares.saveFile([play.card()]),
  },
});

// ---- the card that is shown ------------------------------------------------------------------

const title = document.title; // where cards begin

/** Show the card that the address asks for, or the one being played, or else where cards begin. */
function route() {
  const now = kept.playing();
  const id = location.hash.slice(1) || now?.id;
  const card = id && id !== "cards" ? play.load(id) : null;
  play.show(card, card !== null && card.id === now?.id);
  $("start").hidden = card !== null;
  $("game").hidden = card === null;
  if (!card) {
    document.title = title;
    return start.show();
  }
  drawing.build();
  drawing.render();
  shows.render();
}

/** @param {string} id the card to be played from now on */
function go(id) {
  const { ruleset } = /** @type {Card} */ (play.load(id));
  if (kept.playing()?.id !== id) kept.play({ id, dice: "", left: told.rulesets[ruleset].rolls - 1 });
  if (location.hash) history.pushState(null, "", location.pathname);
  route();
  scrollTo(0, 0);
  $("heading").focus({ preventScroll: true });
}

if (!kept.any()) start.show();
await ready;
route();

kept.listen({
  all: route,
  /** What was entered is taken over, and the box that is open here stays open. */
  card(id) {
    const { card } = play.state;
    if (!card) return start.list();
    if (id !== card.id) return;
    const stored = play.load(id);
    if (stored?.ruleset !== card.ruleset || String(stored.names) !== String(card.names)) return route();
    play.state.card = stored;
    drawing.render();
  },
  /** The dice are taken over; but a card stays in view where another one is played now. */
  playing() {
    const [now, { state }] = [kept.playing(), play];
    if (!state.card) return;
    state.playing = now?.id === state.card.id;
    if (now && state.playing) play.take(now);
    else hand.close();
    slip.putAway();
    drawing.render();
  },
  shown: (id) => id === play.state.card?.id && shows.render(),
});
addEventListener("beforeunload", (event) => kept.safe() || event.preventDefault());
addEventListener("hashchange", () => {
  for (const dialog of [$("question"), $("sharing")]) dialog.close();
  route();
});

// The page comes in another language with a network only; without one it stays as it is.
addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches(".languages")) return;
  event.preventDefault();
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  warn("");
  try {
    await fetch(form.action, { method: "POST", body, redirect: "manual" });
    location.reload();
  } catch {
    warn(text("no_network"));
  }
});
