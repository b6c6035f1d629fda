// @ts-check
// The scorekeeper's page: shows a card, takes what is tapped, keeps it at once. It knows no rule
// and no sentence; the points come from the engine's tables, the texts with the page.

/** @typedef {import("./sheet.js").Card} Card */
/** @typedef {import("./sheet.js").Column} Column */
/** @typedef {import("./coach.js").Table} Table */
/** @typedef {{ boxes: string[], rolls: number, table: string }} Ruleset */

/** @returns {any} the element with this id */
const $ = (/** @type {string} */ id) => document.getElementById(id);
/** @type {import("./sheet.js").Limits & { rolls: string[], rulesets: Record<string, Ruleset> }} */
const told = JSON.parse($("told").textContent);
/** @type {any} */
const texts = JSON.parse($("texts").textContent);

// ---- words and numbers -----------------------------------------------------------------------

const lang = document.documentElement.lang;
const whole = (/** @type {number} */ n) => String(n); // points have no thousands
const decimal = (/** @type {number} */ n) => n.toFixed(1).replace(".", texts.point);
const date = (/** @type {number} */ time) => new Intl.DateTimeFormat(lang, { dateStyle: "medium" }).format(time);

/** A sentence with its names filled in. @param {string} key @param {Record<string, string | number>} values */
const text = (key, values = {}) =>
  texts[key].replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {string} */ name) => {
    const value = values[name];
    return typeof value === "number" ? whole(value) : value;
  });

/** One polite message for an event; the same words twice are said twice. */
function say(/** @type {string} */ words) {
  $("status").textContent = "";
  requestAnimationFrame(() => ($("status").textContent = words));
}

let warned = "";

/** What went wrong, until something else is done. Once it is closed, it isn't said again. */
function warn(/** @type {string} */ words) {
  if (words === warned) return;
  warned = words;
  $("notice-text").textContent = words;
  $("notice").hidden = !words;
}
$("close-notice").addEventListener("click", () => ($("notice").hidden = true));

/** @param {string} words @returns {Promise<boolean>} whether the answer is yes */
function ask(words) {
  const dialog = $("question");
  $("question-text").textContent = words;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) => dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true }));
}

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// ---- what is loaded --------------------------------------------------------------------------

/**
 * Done again and again until it succeeds.
 * @template T
 * @param {(tried: number) => Promise<T>} act @param {string} problem the key of what is said meanwhile
 */
async function retried(act, problem) {
  for (let tried = 0; ; tried++) {
    try {
      const result = await act(tried);
      if (tried) warn("");
      return result;
    } catch {
      warn(text(problem));
      await new Promise((go) => setTimeout(go, Math.min(500 * 2 ** tried, 8000)));
    }
  }
}

/**
 * A module under the address that names its version; browsers remember a failure by the whole
 * address, with what follows the #.
 * @param {string} name
 */
const load = (name) => retried((tried) => import($(`${name}-module`).href + (tried ? `#${tried}` : "")), "no_module");

const sheet = /** @type {typeof import("./sheet.js")} */ (await load("sheet"));
const kept = /** @type {typeof import("./kept.js")} */ (await load("kept"));
const coach = /** @type {typeof import("./coach.js")} */ (await load("coach"));
const cards = /** @type {typeof import("./cards.js")} */ (await load("cards"));
const live = /** @type {typeof import("./live-sheet.js")} */ (await load("live-sheet"));
const picture = /** @type {typeof import("./picture.js")} */ (await load("picture"));

/** @param {string} key @returns {Promise<[string, Table]>} */
async function fetched(key) {
  const { boxes, table } = told.rulesets[key];
  const answer = await fetch(table);
  if (!answer.ok) throw new Error(String(answer.status));
  return [key, new coach.Table(told.rolls, boxes, await answer.arrayBuffer())];
}

const tables = /** @type {Record<string, Table>} */ ({}); // before they come, a card can be set up
const all = () => Promise.all(Object.keys(told.rulesets).map(fetched));
const ready = retried(all, "no_table").then((got) => Object.assign(tables, Object.fromEntries(got)));
const isCard = (/** @type {unknown} */ card) => sheet.fault(card, tables, told) === null;

// ---- the card that is shown ------------------------------------------------------------------

let card = /** @type {Card | null} */ (null);
let playing = false; // or only looked at
let chosen = /** @type {{ player: number, place: number } | null} */ (null);
let panel = /** @type {"" | "box" | "dice"} */ ("");
let dice = "";
let left = 0;

const table = () => tables[/** @type {Card} */ (card).ruleset];
const ruleset = () => told.rulesets[/** @type {Card} */ (card).ruleset];
/** Whose dice lie on the table: who is on turn, or has the box that is chosen. */
const whose = () => (chosen ? chosen.player : sheet.onTurn(columns()));
const columns = () => sheet.fold(/** @type {Card} */ (card), table());
const allRolled = () => dice.length === told.rolls[0].length;
const boxName = (/** @type {number} */ place) => texts.boxes[ruleset().boxes[place]];
const cells = () => /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(".cell")]);
const cellAt = (/** @type {number} */ player, /** @type {number} */ place) =>
  /** @type {HTMLButtonElement} */ (document.querySelector(`[data-player="${player}"][data-place="${place}"]`));

const title = document.title; // where cards begin

/** The card that the address asks for, or the one being played, or else where cards begin. */
function route() {
  const now = kept.playing();
  const id = location.hash.slice(1) || now?.id;
  const stored = id && id !== "cards" ? kept.load(id) : null;
  const next = isCard(stored) ? stored : null;
  playing = next !== null && next.id === now?.id;
  $("start").hidden = next !== null;
  $("game").hidden = next === null;
  chosen = null;
  panel = "";
  card = next;
  if (!card) {
    document.title = title;
    return start.show();
  }
  ({ dice, left } = playing && now ? now : { dice: "", left: ruleset().rolls - 1 });
  build(card);
  render();
  shows.render();
}

/** @param {string} id the card to be played from now on */
function play(id) {
  if (kept.playing()?.id !== id) kept.play({ id, dice: "", left: told.rulesets[kept.load(id).ruleset].rolls - 1 });
  if (location.hash) history.pushState(null, "", location.pathname);
  route();
  scrollTo(0, 0);
  $("heading").focus({ preventScroll: true });
}

/** Keep a change, on top of whatever another tab has entered meanwhile. */
function change(/** @type {(now: Card) => Card} */ changed) {
  const here = /** @type {Card} */ (card);
  const on = (/** @type {unknown} */ stored) => (isCard(stored) ? /** @type {Card} */ (stored) : here);
  const now = on(kept.load(here.id));
  card = changed(now);
  if (card === now) return;
  kept.change(here.id, (stored) => changed(on(stored)));
  shows.changed(here.id);
  warn(kept.safe() ? "" : text("unkept"));
}

function keepDice() {
  if (card) kept.play({ id: card.id, dice, left });
}

/** @param {number} player @param {number} place @param {number | null} points */
function enter(player, place, points) {
  const [written, time] = [columns(), Date.now()];
  const given = allRolled() && table().score(dice, place) === points;
  const played = written[player][place] === null && points !== null && (given || player === sheet.onTurn(written));
  change((now) => sheet.entered(now, [player, ruleset().boxes[place], points], table(), time));
  if (played) {
    dice = "";
    left = ruleset().rolls - 1;
    keepDice();
  }
  const name = /** @type {Card} */ (card).names[player];
  close();
  cellAt(player, place).focus({ preventScroll: true });
  say(`${text(points === null ? "cleared" : "wrote", { box: boxName(place), name, n: points ?? 0 })} ${standing()}`);
}

function undo() {
  const last = card?.log.at(-1);
  if (!playing || !last) return;
  const time = Date.now();
  change((now) => sheet.undone(now, last, table(), time));
  const [player, box] = last;
  const place = ruleset().boxes.indexOf(box);
  const points = columns()[player][place];
  close();
  const name = /** @type {Card} */ (card).names[player];
  say(`${text(points === null ? "cleared" : "wrote", { box: boxName(place), name, n: points ?? 0 })} ${standing()}`);
}

/** Whose turn it is, or who has won, as a sentence. */
function standing() {
  const { names } = /** @type {Card} */ (card);
  const player = sheet.onTurn(columns());
  if (player !== null) return text("next", { name: names[player] });
  const totals = columns().map(sheet.total);
  const most = Math.max(...totals);
  const winners = names.filter((_, seat) => totals[seat] === most);
  if (names.length === 1) return text("over", { n: most });
  return winners.length > 1 ? text("tie", { names: winners.join(texts.comma), n: most }) : text("winner", { name: winners[0], n: most });
}

// ---- drawing ---------------------------------------------------------------------------------

/** @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} children */
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @param {string} symbol */
function drawn(symbol) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
}

/** The empty table of a card, its boxes in its order. @param {Card} card */
function build({ names, ruleset, started }) {
  const grid = /** @type {HTMLTableElement} */ (document.querySelector(".card"));
  const [head, possible, rank] = /** @type {HTMLTableRowElement[]} */ ([grid.tHead?.rows[0], $("possible"), $("rank")]);
  for (const one of [head, possible, rank]) while (one.cells.length > 1) one.lastElementChild?.remove();
  grid.querySelectorAll("tbody").forEach((body) => body.remove());
  grid.tHead?.after($(`rows-${ruleset}`).content.cloneNode(true));
  names.forEach((name, player) => {
    const called = element("span", { class: "who" }, element("span", { class: "name" }, element("bdi", {}, name)));
    head.append(element("th", { scope: "col", id: `seat${player}` }, called, " ", element("span", { class: "total" })));
    for (const one of [possible, rank]) one.append(element("td", {}));
  });
  for (const [place, box] of told.rulesets[ruleset].boxes.entries()) {
    const line = /** @type {Element} */ (grid.querySelector(`[data-box="${box}"]`));
    names.forEach((_, player) => {
      const mark = element("span", { class: "pencil", "aria-hidden": "true" });
      const attributes = { type: "button", class: "cell", "data-player": String(player), "data-place": String(place), tabindex: "-1" };
      line.append(element("td", {}, element("button", attributes, mark)));
    });
  }
  $("game").className = `game seats-${names.length}${names.length > 3 ? " many" : ""}`;
  rank.hidden = names.length === 1;
  const back = `score${location.hash.replace("#", ".")}`;
  for (const link of [$("rules"), $("tips")]) link.search = String(new URLSearchParams({ ruleset, back }));
  $("about").textContent = `${texts.rulesets[ruleset]} · ${date(started)}`;
  const face = (/** @type {string} */ one) => element("button", { type: "button", "data-face": one, "aria-label": one }, drawn(`e${one}`));
  $("faces").replaceChildren(...[...new Set(told.rolls.join(""))].sort().map(face));
  const number = (/** @type {number} */ n) => element("button", { type: "button", "data-left": String(n), "aria-label": texts.left[n] }, whole(n));
  $("lefts").replaceChildren(...Array.from({ length: told.rulesets[ruleset].rolls }, (_, n) => number(n)).reverse());
}

function render() {
  if (!card) return;
  const { names } = card;
  const written = columns();
  const turn = sheet.onTurn(written);
  const totals = written.map(sheet.total);
  const ranks = sheet.ranks(totals);
  const pencilled = playing && panel && allRolled() ? whose() : null;
  $("game").classList.toggle("over", turn === null);
  names.forEach((_, player) => {
    const head = $(`seat${player}`);
    head.querySelector(".total").textContent = whole(totals[player]);
    head.toggleAttribute("aria-current", false);
    if (player === turn) head.setAttribute("aria-current", "true");
    $("possible").hidden = turn === null;
    $("possible").cells[player + 1].textContent = whole(sheet.possible(written[player], table()));
    $("rank").cells[player + 1].textContent = card?.log.length ? whole(ranks[player]) : "";
  });
  for (const cell of cells()) renderCell(cell, written, turn, pencilled);
  const reachable = cells().find((cell) => cell.tabIndex === 0);
  if (!reachable) cellAt(turn ?? 0, Math.max(0, written[turn ?? 0].indexOf(null))).tabIndex = 0;
  renderTray(turn, totals, ranks);
  document.title = `${turn === null ? standing() : text("turn", { name: names[turn] })} · ${texts.yacht}`;
  follow();
}

/** @param {HTMLButtonElement} cell @param {Column[]} written @param {number | null} turn @param {number | null} pencilled */
function renderCell(cell, written, turn, pencilled) {
  const [player, place] = [Number(cell.dataset.player), Number(cell.dataset.place)];
  const points = written[player][place];
  const given = points === null && player === pencilled ? table().score(dice, place) : null;
  const values = { box: boxName(place), name: /** @type {Card} */ (card).names[player] };
  const mark = /** @type {HTMLElement} */ (cell.firstElementChild);
  const at = chosen?.player === player && chosen.place === place;
  /** @type {HTMLElement} */ (cell.parentElement).className = `${points === null ? "open" : "ink"}${player === turn ? " now" : ""}`;
  mark.textContent = points === 0 ? "–" : points !== null ? whole(points) : given !== null ? whole(given) : "";
  mark.classList.toggle("zero", points === 0);
  if (!given && given !== 0) mark.classList.remove("advised");
  cell.ariaLabel =
    points !== null ? text("written", { ...values, n: points }) : given !== null ? text("pencilled", { ...values, n: given }) : text("open", values);
  if (playing) cell.setAttribute("aria-expanded", String(at));
  else cell.removeAttribute("aria-expanded");
  cell.toggleAttribute("aria-disabled", false);
  if (!playing) cell.setAttribute("aria-disabled", "true");
}

/** @param {number | null} turn @param {number[]} totals @param {number[]} ranks */
function renderTray(turn, totals, ranks) {
  const { names, log } = /** @type {Card} */ (card);
  $("calm").hidden = panel !== "";
  $("entry").hidden = panel === "";
  $("close").hidden = panel === "";
  $("clear").hidden = !chosen || columns()[chosen.player][chosen.place] === null;
  $("heading").textContent = chosen
    ? text("chosen", { box: boxName(chosen.place), name: names[chosen.player] })
    : turn === null ? standing() : text("turn", { name: names[turn] });
  const over = turn === null;
  $("result").hidden = !over || names.length === 1;
  const ranked = names.map((name, player) => ({ name, rank: ranks[player], total: totals[player] })).sort((one, other) => one.rank - other.rank);
  $("result").replaceChildren(
    ...ranked.map(({ name, rank, total }) =>
      element("li", {}, element("span", { class: "rank" }, whole(rank)), element("bdi", {}, name), element("b", {}, whole(total))),
    ),
  );
  $("hint").hidden = !playing || over || panel === "box";
  $("undo").hidden = !playing;
  $("undo").toggleAttribute("aria-disabled", false);
  if (!log.length) $("undo").setAttribute("aria-disabled", "true");
  $("open-dice").hidden = !playing || over;
  $("again").hidden = !playing || !over;
  $("change").hidden = playing;
  renderEntry();
}

function renderEntry() {
  $("values").hidden = $("usual").hidden = panel !== "box" || !chosen;
  const player = whose();
  $("ask-coach").hidden = player === null || !columns()[player].includes(null);
  if (chosen) renderValues(chosen.player, chosen.place);
  const slots = Array.from(told.rolls[0], (_, place) => {
    const face = dice[place];
    if (!face) return element("span", {}, drawn("d0"));
    return element("button", { type: "button", "data-slot": String(place), "aria-label": text("die", { n: place + 1, face }) }, drawn(`d${face}`));
  });
  if ($("slots").dataset.dice !== dice) $("slots").replaceChildren(...slots, $("no-dice"));
  $("slots").dataset.dice = dice;
  $("no-dice").hidden = !dice;
  for (const button of $("faces").children) {
    button.toggleAttribute("aria-disabled", false);
    if (allRolled()) button.setAttribute("aria-disabled", "true");
  }
  for (const button of $("lefts").children) button.ariaPressed = String(Number(button.dataset.left) === left);
  $("coach").toggleAttribute("aria-disabled", false);
  if (!allRolled()) $("coach").setAttribute("aria-disabled", "true");
}

/** @param {number} player @param {number} place */
function renderValues(player, place) {
  const usual = table().usual[place];
  const points = columns()[player][place];
  const rolled = allRolled() ? table().score(dice, place) : null;
  const value = (/** @type {number} */ n) => {
    const score = text("score", { n, box: boxName(place) });
    const button = element("button", { type: "button", "data-points": String(n), "aria-label": score }, n === rolled ? score : n ? whole(n) : "–");
    button.classList.toggle("wide", n === rolled);
    if (n === usual) button.dataset.usual = "";
    button.ariaPressed = String(n === points);
    return button;
  };
  const given = table().given[place];
  const ordered = rolled === null ? given : [rolled, ...given.filter((n) => n !== rolled)];
  const shown = `${player} ${place} ${points} ${rolled}`;
  if ($("values").dataset.shown === shown) return;
  $("values").dataset.shown = shown;
  $("values").replaceChildren(...ordered.map(value));
  $("usual").textContent = points === null && rolled === null ? text("usual", { n: usual }) : "";
  $("usual").hidden = !$("usual").textContent;
}

let followed = "";

/** The chosen column, or that on turn, is in view beside the names of the boxes. */
function follow() {
  const column = chosen ? $(`seat${chosen.player}`) : document.querySelector(".card [aria-current]");
  if (!column || column.id === followed) return;
  followed = column.id;
  const names = /** @type {HTMLElement} */ (document.querySelector(".card tbody th")).offsetWidth;
  $("scroll").style.scrollPaddingInlineStart = `${names}px`;
  const { offsetLeft, offsetWidth } = /** @type {HTMLElement} */ (column);
  const { scrollLeft, clientWidth } = $("scroll");
  const seen = offsetLeft >= scrollLeft + names && offsetLeft + offsetWidth <= scrollLeft + clientWidth;
  if (!seen) $("scroll").scrollLeft = offsetLeft - names;
}

// ---- opening and closing ---------------------------------------------------------------------

/** @param {number} player @param {number} place */
function open(player, place) {
  if (!playing) return;
  chosen = { player, place };
  panel = "box";
  putAway();
  render();
  cellAt(player, place).scrollIntoView({ block: "nearest" });
}

function openDice() {
  panel = "dice";
  chosen = null;
  render();
  $("faces").firstElementChild.focus({ preventScroll: true });
}

function close() {
  const back = chosen && cellAt(chosen.player, chosen.place);
  const within = $("entry").contains(document.activeElement) || $("close") === document.activeElement || $("clear") === document.activeElement;
  chosen = null;
  panel = "";
  putAway();
  render();
  if (within) (back ?? $("open-dice")).focus({ preventScroll: true });
}

/** The advice goes when it was read, and its marks with it. */
function putAway() {
  $("slip").hidden = true;
  document.querySelectorAll(".advised").forEach((marked) => marked.classList.remove("advised"));
}

/** @param {string} faces */
function setDice(faces) {
  dice = faces;
  putAway();
  keepDice();
  render();
  if (allRolled()) say(text("dice", { dice: [...dice].join(texts.comma) }));
}

/** @param {string} face */
function addDie(face) {
  if (!allRolled()) setDice(dice + face);
}

// ---- the coach -------------------------------------------------------------------------------

function advise() {
  const player = whose();
  if (player === null || !allRolled()) return;
  const choices = table().rank(columns()[player], dice, left);
  const play = (/** @type {import("./coach.js").Choice} */ { keep, place }) =>
    place !== null ? text("score", { n: table().score(dice, place), box: boxName(place) })
    : keep ? text("hold", { dice: [...keep].join("-") })
    : text("roll");
  const [best, second] = choices;
  const loss = (/** @type {number} */ worth) => decimal(Math.max(0, best.worth - worth));
  putAway();
  $("slip-title").textContent = play(best);
  $("slip-next").textContent = second ? runnerUp(play(second), best.worth - second.worth) : "";
  $("slip-choices").replaceChildren(
    ...choices.slice(0, 4).map((choice) =>
      element("tr", {}, element("th", { scope: "row" }, play(choice)), element("td", {}, decimal(choice.worth)), element("td", {}, loss(choice.worth))),
    ),
  );
  $("slip").hidden = false;
  if (best.place !== null) cellAt(player, best.place).firstElementChild?.classList.add("advised");
  let rest = best.keep ?? "";
  for (const slot of $("slots").children) {
    const face = dice[Number(slot.dataset.slot)];
    if (!face || !rest.includes(face)) continue;
    rest = rest.replace(face, "");
    slot.classList.add("advised");
  }
  say(text("coached", { choice: play(best), n: decimal(best.worth) }));
}

/** @param {string} choice @param {number} lost */
function runnerUp(choice, lost) {
  if (lost < 1e-9) return text("equal", { choice });
  if (decimal(lost) === decimal(0)) return text("near", { choice });
  return text("second", { choice, loss: decimal(lost) });
}

// ---- who watches -----------------------------------------------------------------------------

/** A card of this device as it is sent to those who watch. @param {string} id */
function sheetOf(id) {
  const stored = kept.load(id);
  if (!isCard(stored)) return null;
  const rules = tables[stored.ruleset];
  const written = sheet.fold(stored, rules);
  const boxes = (/** @type {number} */ player) => Object.fromEntries(rules.boxes.map((box, place) => [box, written[player][place]]));
  const players = /** @type {Card} */ (stored).names.map((name, player) => ({ name, boxes: boxes(player) }));
  return { ruleset: stored.ruleset, players };
}

const shows = live.mount({ $, kept, ready, sheetOf, shownHere: () => card?.id });

/** A card that is replaced is shown as it is then. @param {Card} card */
function save(card) {
  kept.save(card);
  shows.changed(card.id);
}

/** A card that is deleted isn't shown either. @param {string} id */
function remove(id) {
  kept.remove(id);
  shows.end(id);
}

// ---- what people do --------------------------------------------------------------------------

const start = cards.mount({ $, told, tables, ready, texts, text, date, say, warn, ask, newId, element, isCard, kept: { ...kept, save, remove }, sheet, play, whole, saveFile });

let pressed = /** @type {Element | null} */ (null); // what the last click was on
let press = /** @type {{ cell: HTMLElement, x: number, y: number, long: ReturnType<typeof setTimeout> } | null} */ (null);
let entered = false; // by a long press, whose click means nothing more
const LONG = 550;
const SLACK = 10; // pixels that a resting finger moves
const CLICK = 100; // milliseconds within which a click follows, if one does

function letGo() {
  clearTimeout(press?.long);
  press = null;
}

addEventListener("pointerdown", (event) => {
  const cell = /** @type {Element} */ (event.target).closest(".cell");
  entered = false;
  letGo();
  if (!(cell instanceof HTMLElement) || event.button) return;
  press = { cell, x: event.clientX, y: event.clientY, long: setTimeout(() => (entered = usual(cell)), LONG) };
});
addEventListener("pointermove", ({ clientX, clientY }) => {
  if (!press) return;
  const far = Math.hypot(clientX - press.x, clientY - press.y) > SLACK;
  if (far || !press.cell.contains(document.elementFromPoint(clientX, clientY))) letGo();
});
for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(kind, () => {
    letGo();
    setTimeout(() => (entered = false), CLICK);
  });
}
addEventListener("scroll", letGo, true);
addEventListener("contextmenu", (event) => /** @type {Element} */ (event.target).closest(".cell") && event.preventDefault());

/** Write the most usual points of an open box. @param {HTMLElement} cell */
function usual(cell) {
  const [player, place] = [Number(cell.dataset.player), Number(cell.dataset.place)];
  if (!playing || columns()[player][place] !== null) return false;
  enter(player, place, table().usual[place]);
  return true;
}

$("game").addEventListener("click", (/** @type {PointerEvent} */ event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button"));
  // the second click of a double click means what the first one was on, which may have gone
  const stray = event.detail > 1 && button !== pressed;
  pressed = button;
  if (!button || button.ariaDisabled === "true" || stray || entered) return void (entered = false);
  const { player, place, points, face, slot, left: rolls } = button.dataset;
  if (player && place) {
    reach(button);
    if (chosen?.player === Number(player) && chosen.place === Number(place)) close();
    else open(Number(player), Number(place));
  } else if (points && chosen) enter(chosen.player, chosen.place, Number(points));
  else if (face) addDie(face);
  else if (slot) setDice(dice.slice(0, Number(slot)) + dice.slice(Number(slot) + 1));
  else if (rolls) {
    left = Number(rolls);
    keepDice();
    putAway();
    render();
  } else acts[button.id]?.();
});

/** @type {Record<string, () => void>} */
const acts = {
  undo,
  "open-dice": openDice,
  close,
  clear: () => chosen && enter(chosen.player, chosen.place, null),
  "no-dice": () => {
    setDice("");
    $("faces").firstElementChild.focus({ preventScroll: true });
  },
  coach: advise,
  "slip-close": () => {
    putAway();
    $("coach").focus({ preventScroll: true });
  },
  again: () => {
    const next = sheet.again(/** @type {Card} */ (card), newId(), Date.now());
    kept.save(next);
    shows.move(/** @type {Card} */ (card).id, next.id); // who watches goes on watching
    play(next.id);
  },
  change: () => play(/** @type {Card} */ (card).id),
  "share-text": shareText,
  "share-picture": sharePicture,
  "save-file": () => saveFile([/** @type {Card} */ (card)]),
};

/** The one cell that Tab comes to. @param {HTMLElement} cell */
function reach(cell) {
  for (const other of cells()) other.tabIndex = other === cell ? 0 : -1;
}

$("use-keys").checked = kept.settings().keys ?? true;
$("use-keys").addEventListener("change", () => kept.keepKeys($("use-keys").checked));

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const typing = target.matches("input:not([type=radio], [type=checkbox]), textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || !card) return;
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const presses = (event.key === "Enter" || event.key === " ") && target.matches("button");
  if (event.repeat && presses) return event.preventDefault(); // held, it presses once
  if (event.repeat && !step) return;
  if (event.key === "Escape") close();
  else if (step && target.matches(".cell")) {
    const next = cellAt(Number(target.dataset.player) + step[1], Number(target.dataset.place) + step[0]);
    if (!next) return;
    reach(next);
    next.focus();
  } else if (event.key === "Enter" && event.shiftKey && target.matches(".cell")) usual(target);
  else if (!$("use-keys").checked) return;
  else if (panel && [...$("faces").children].some((button) => button.dataset.face === event.key)) addDie(event.key);
  else if (panel && event.key === "Backspace") setDice(dice.slice(0, -1));
  else if (/^u$/i.test(event.key)) undo();
  else if (event.key === "?") {
    $("keys").open = true;
    $("keys").querySelector("summary").focus();
  } else return;
  event.preventDefault();
});

// The page comes in another language with a network only; without one it stays as it is.
addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches(".languages")) return;
  event.preventDefault();
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  try {
    await fetch(form.action, { method: "POST", body, redirect: "manual" });
    location.reload();
  } catch {
    warn(text("no_network"));
  }
});

// ---- sharing ---------------------------------------------------------------------------------

function asText() {
  const { names, started } = /** @type {Card} */ (card);
  const written = columns();
  const totals = written.map(sheet.total);
  const ranks = sheet.ranks(totals);
  const lines = names.map((name, player) => ({ rank: ranks[player], line: text("ranked", { rank: ranks[player], name, n: totals[player] }) }));
  const boxes = ruleset().boxes.map((_, place) => `${boxName(place)}: ${written.map((column) => column[place] ?? "·").join(" | ")}`);
  const ranked = lines.sort((one, other) => one.rank - other.rank).map(({ line }) => line);
  return [text("shared", { date: date(started) }), ...ranked, "", ...boxes].join("\n");
}

/** Whether the device took it, or was told not to. @param {ShareData} data */
async function handedOver(data) {
  try {
    await navigator.share(data);
  } catch (fault) {
    return fault instanceof DOMException && fault.name === "AbortError";
  }
  return true;
}

async function shareText() {
  const text = asText();
  if (await handedOver({ text })) return;
  $("shared").value = text;
  $("sharing").showModal();
}

async function sharePicture() {
  const { names, started, id } = /** @type {Card} */ (card);
  const written = columns();
  const blob = await picture.drawn({
    title: text("shared", { date: date(started) }),
    names,
    totals: written.map((column) => whole(sheet.total(column))),
    rows: ruleset().boxes.map((_, place) => [boxName(place), ...written.map((column) => (column[place] === null ? "" : column[place] ? whole(column[place]) : "–"))]),
  });
  if (!blob) return warn(text("no_picture"));
  const files = [new File([blob], `yacht-${id.slice(0, 6)}.png`, { type: "image/png" })];
  if (!navigator.canShare?.({ files }) || !(await handedOver({ files }))) download(files[0]);
}

/** @param {Card[]} some */
function saveFile(some) {
  download(new File([sheet.asFile(some)], "yacht-scorecards.json", { type: "application/json" }));
}

/** @param {File} file */
function download(file) {
  const link = element("a", { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(/** @type {HTMLAnchorElement} */ (link).href), 60_000);
}

if (!kept.any()) start.show();
await ready;
route();

kept.listen({
  all: route,
  /** What was entered is taken over, and the box that is open here stays open. */
  card(id) {
    if (!card) return start.list();
    const { names, ruleset } = card;
    if (id !== card.id) return;
    const stored = kept.load(id);
    if (!isCard(stored) || stored.ruleset !== ruleset || String(stored.names) !== String(names)) return route();
    card = stored;
    render();
  },
  /** The dice are taken over; but a card stays in view where another one is played now. */
  playing() {
    const now = kept.playing();
    if (!card) return;
    playing = now?.id === card.id;
    if (now && playing) ({ dice, left } = now);
    else close();
    putAway();
    render();
  },
  shown: (id) => id === card?.id && shows.render(),
});
addEventListener("beforeunload", (event) => kept.safe() || event.preventDefault());
addEventListener("hashchange", () => {
  for (const dialog of [$("question"), $("sharing")]) dialog.close();
  route();
});
