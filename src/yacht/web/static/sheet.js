// @ts-check
// A scorecard of people with real dice: the log of what was entered, and all that follows from it.
// It knows no rule of the game. What the boxes are, and what each can hold, is passed in.

/**
 * A box of a player filled with points, or cleared with null.
 * @typedef {[player: number, box: string, points: number | null]} Change
 */
/**
 * Times are in milliseconds; `finished` is when the last box was filled, null while one is open.
 * @typedef {{ id: string, ruleset: string, names: string[], log: Change[], started: number, finished: number | null }} Card
 */
/**
 * The boxes of a card in its order, and the points that each can have.
 * @typedef {{ boxes: string[], given: number[][] }} Rules
 */
/** @typedef {{ players: number, letters: number, signs: number }} Limits of names: how many, and how long */
/** @typedef {(number | null)[]} Column the points of a player in card order; null is open */

const KIND = "yacht-scorecards";
const VERSION = 1;

/** @param {Card} card @param {Rules} rules @returns {Column[]} what stands on the card now */
export function fold(card, rules) {
  const columns = card.names.map(() => /** @type {Column} */ (rules.boxes.map(() => null)));
  for (const [player, box, points] of card.log) columns[player][rules.boxes.indexOf(box)] = points;
  return columns;
}

/**
 * The card after a change. One that changes nothing isn't noted.
 * @param {Card} card @param {Change} change @param {Rules} rules @param {number} now
 * @returns {Card}
 */
export function entered(card, change, rules, now) {
  const [player, box, points] = change;
  if (fold(card, rules)[player][rules.boxes.indexOf(box)] === points) return card;
  return timed({ ...card, log: [...card.log, change] }, rules, now);
}

/**
 * The card without a change: the last one like it, since others may have come after it.
 * @param {Card} card @param {Change} change @param {Rules} rules @param {number} now
 * @returns {Card}
 */
export function undone(card, change, rules, now) {
  const at = card.log.findLastIndex((one) => one.every((part, place) => part === change[place]));
  return at < 0 ? card : timed({ ...card, log: card.log.filter((_, place) => place !== at) }, rules, now);
}

/** @param {Card} card @param {Rules} rules @param {number} now @returns {Card} */
function timed(card, rules, now) {
  return { ...card, finished: onTurn(fold(card, rules)) === null ? (card.finished ?? now) : null };
}

/** @param {Column} column */
const filled = (column) => column.filter((points) => points !== null).length;

/** @param {Column[]} columns @returns {number | null} who has filled fewest boxes, the first of them */
export function onTurn(columns) {
  const fewest = Math.min(...columns.map(filled));
  return fewest === columns[0].length ? null : columns.findIndex((column) => filled(column) === fewest);
}

/** @param {Column} column */
export function total(column) {
  return column.reduce((/** @type {number} */ sum, points) => sum + (points ?? 0), 0);
}

/** @param {Column} column @param {Rules} rules the highest total that can still be reached */
export function possible(column, rules) {
  return total(column.map((points, place) => points ?? Math.max(...rules.given[place])));
}

/** @param {number[]} totals each one's rank: one more than there are higher totals */
export function ranks(totals) {
  return totals.map((mine) => 1 + totals.filter((other) => other > mine).length);
}

/** @param {string[]} names @param {string} ruleset @param {string} id @param {number} now @returns {Card} */
export function fresh(names, ruleset, id, now) {
  return { id, ruleset, names, log: [], started: now, finished: null };
}

/** @param {Card} card @param {string} id @param {number} now the next game: the second player starts */
export function again(card, id, now) {
  return fresh([...card.names.slice(1), card.names[0]], card.ruleset, id, now);
}

/** As the server has it, in rooms/names.py: what no name holds, and what has ink. */
const REFUSED = /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/gu;
const INKED = /[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{M}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u;

/**
 * A name as the card shows it, cut where it is too long; "" if nothing of it can be seen.
 * @param {string} typed @param {Limits} limits
 */
export function named(typed, { letters, signs }) {
  const trimmed = (/** @type {string} */ name) => name.replace(/[^\S\ufeff]+/g, " ").replace(/^ | $/g, "");
  const short = [...trimmed(typed.replace(REFUSED, " "))].slice(0, signs); // long rows of accents take long
  const name = [...short.join("").normalize("NFC")];
  let inked = 0;
  const end = name.findIndex((sign, place) => place === signs || (INKED.test(sign) && ++inked > letters));
  return inked ? trimmed(name.slice(0, end < 0 ? name.length : end).join("")) : "";
}

/** @param {Card[]} cards */
export function asFile(cards) {
  return JSON.stringify({ kind: KIND, version: VERSION, cards }, null, 1);
}

/**
 * What is wrong: the key of a sentence, and what it is about.
 * @typedef {{ problem: string, values: Record<string, string | number> }} Fault
 */

/** @type {Fault} */
export const NO_CARDS = { problem: "not_cards", values: {} };

/**
 * The cards of a file, or the first thing that is wrong with it.
 * @param {string} text @param {Record<string, Rules>} rulesets @param {Limits} limits
 * @returns {Card[] | Fault}
 */
export function fromFile(text, rulesets, limits) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    return { problem: "not_json", values: {} };
  }
  if (file?.kind === KIND && typeof file.version === "number" && file.version > VERSION) return { problem: "bad_version", values: { value: shown(file.version) } };
  if (file?.kind !== KIND || file.version !== VERSION || !Array.isArray(file.cards)) return NO_CARDS;
  for (const [place, card] of file.cards.entries()) {
    const wrong = fault(card, rulesets, limits);
    if (wrong) return { problem: wrong.problem, values: { ...wrong.values, n: place + 1 } };
  }
  return file.cards.map(plain);
}

/** @param {Card} card without what else a file may say of it @returns {Card} */
function plain({ id, ruleset, names, log, started, finished }) {
  return { id, ruleset, names, log, started, finished };
}

/** @param {Card} one @param {Card} other whether all of them is the same */
export const alike = (one, other) => JSON.stringify(plain(one)) === JSON.stringify(plain(other));

const LATEST = 8.64e15; // milliseconds: no date is later

/** @param {any} value */
const isTime = (value) => Number.isInteger(value) && value >= 0 && value <= LATEST;

/** @param {unknown} value */
const shown = (value) => String(typeof value === "string" ? value : JSON.stringify(value)).slice(0, 40);

/**
 * The first thing that makes a value no card.
 * @param {any} card @param {Record<string, Rules>} rulesets @param {Limits} limits
 * @returns {Fault | null}
 */
export function fault(card, rulesets, limits) {
  /** @param {string} problem @param {Record<string, string | number>} values */
  const wrong = (problem, values = {}) => ({ problem, values });
  if (typeof card?.id !== "string" || !/^[\w-]{8,64}$/.test(card.id)) return wrong("bad_card");
  if (!Object.hasOwn(rulesets, card.ruleset)) return wrong("bad_ruleset", { value: shown(card.ruleset) });
  const rules = rulesets[card.ruleset];
  const { names, log } = card;
  if (!Array.isArray(names) || !names.length || names.length > limits.players)
    return wrong("bad_names", { most: limits.players });
  const odd = names.find((name) => typeof name !== "string" || named(name, limits) !== name || !name);
  if (odd !== undefined) return wrong("bad_name", { value: shown(odd) });
  if (!Array.isArray(log)) return wrong("bad_card");
  for (const [place, change] of log.entries()) {
    const entry = place + 1;
    if (!Array.isArray(change) || change.length !== 3) return wrong("bad_entry", { entry });
    const [player, box, points] = change;
    if (!Number.isInteger(player) || player < 0 || player >= names.length)
      return wrong("bad_player", { entry, value: Number.isInteger(player) ? player + 1 : shown(player) });
    const at = rules.boxes.indexOf(box);
    if (at < 0) return wrong("bad_box", { entry, value: shown(box) });
    if (points !== null && !rules.given[at].includes(points)) return wrong("bad_points", { entry, box, value: shown(points) });
  }
  const ended = onTurn(fold(card, rules)) === null;
  if (!isTime(card.started) || (ended ? !isTime(card.finished) : card.finished !== null)) return wrong("bad_time");
  return null;
}
