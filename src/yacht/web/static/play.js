// @ts-check
// The card that is shown: what stands on it, the dice on the table, and each change, kept at once.
// It draws nothing.

/** @typedef {import("./sheet.js").Card} Card */
/** @typedef {import("./sheet.js").Change} Change */
/** @typedef {import("./coach.js").Table} Table */
/** @typedef {ReturnType<typeof mount>} Play */

/**
 * `playing` unless the card is only looked at; `chosen` is the box whose panel is open; `left` are
 * the rolls left.
 * @typedef {object} State
 * @property {Card | null} card
 * @property {boolean} playing
 * @property {{ player: number, place: number } | null} chosen
 * @property {"" | "box" | "dice"} panel
 * @property {string} dice
 * @property {number} left
 */

/**
 * @param {object} given
 * @param {typeof import("./page.js")} given.page
 * @param {typeof import("./sheet.js")} given.sheet
 * @param {typeof import("./kept.js")} given.kept
 * @param {Record<string, Table>} given.tables
 * @param {(card: string) => void} given.changed is told of each change
 */
export function mount({ page: { told, texts, text, warn }, sheet, kept, tables, changed }) {
  /** @type {State} */
  const state = { card: null, playing: false, chosen: null, panel: "", dice: "", left: 0 };

  const card = () => /** @type {Card} */ (state.card);
  const table = () => tables[card().ruleset];
  const ruleset = () => told.rulesets[card().ruleset];
  const columns = () => sheet.fold(card(), table());
  const turn = () => sheet.onTurn(columns());
  const allRolled = () => state.dice.length === told.rolls[0].length;
  const boxName = (/** @type {number} */ place) => texts.boxes[ruleset().boxes[place]];

  /** Whose dice lie on the table: who is on turn, or has the box that is chosen. */
  const whose = () => (state.chosen ? state.chosen.player : turn());

  /** What a box has, as a sentence. @param {number} player @param {number} place */
  function standsIn(player, place) {
    const points = columns()[player][place];
    const values = { box: boxName(place), name: card().names[player] };
    return points === null ? text("cleared", values) : text("wrote", { ...values, n: points });
  }

  /** Whose turn it is, or who has won, as a sentence. */
  function standing() {
    const { names } = card();
    const player = turn();
    if (player !== null) return text("next", { name: names[player] });
    const totals = columns().map(sheet.total);
    const most = Math.max(...totals);
    const winners = names.filter((_, seat) => totals[seat] === most);
    if (names.length === 1) return text("over", { n: most });
    return winners.length > 1 ? text("tie", { names: winners.join(texts.comma), n: most }) : text("winner", { name: winners[0], n: most });
  }

  // ---- changes -------------------------------------------------------------------------------

  const isCard = (/** @type {unknown} */ one) => sheet.fault(one, tables, told) === null;

  /** @param {string} id @returns {Card | null} a card of this device */
  function load(id) {
    const stored = kept.load(id);
    return isCard(stored) ? stored : null;
  }

  /** Show a card, or none. @param {Card | null} next @param {boolean} playing */
  function show(next, playing) {
    const now = kept.playing();
    Object.assign(state, { card: next, playing, chosen: null, panel: "", dice: "" });
    if (next) state.left = ruleset().rolls - 1;
    if (playing && now) take(now);
  }

  /** The dice on the table, as they were kept; not those that can't be. @param {import("./kept.js").Playing} now */
  function take({ dice, left }) {
    const faces = told.rolls.join("");
    const can = typeof dice === "string" && dice.length <= told.rolls[0].length && [...dice].every((face) => faces.includes(face));
    if (can) state.dice = dice;
    if (Number.isInteger(left) && left >= 0 && left < ruleset().rolls) state.left = left;
  }

  /** Keep a change, on top of whatever another tab has entered meanwhile. */
  function change(/** @type {(now: Card) => Card} */ made) {
    const here = card();
    const on = (/** @type {unknown} */ stored) => (isCard(stored) ? /** @type {Card} */ (stored) : here);
    const now = on(kept.load(here.id));
    state.card = made(now);
    if (state.card === now) return;
    kept.change(here.id, (stored) => made(on(stored)));
    changed(here.id);
    warn(kept.safe() ? "" : text("unkept"));
  }

  /** @param {string} dice @param {number} left */
  function roll(dice, left) {
    Object.assign(state, { dice, left });
    kept.play({ id: card().id, dice, left });
  }

  /** Dice that are written leave the table. @param {number} player @param {number} place @param {number | null} points */
  function enter(player, place, points) {
    const [written, time] = [columns(), Date.now()];
    const given = allRolled() && table().score(state.dice, place) === points;
    const played = written[player][place] === null && points !== null && (given || player === sheet.onTurn(written));
    change((now) => sheet.entered(now, [player, ruleset().boxes[place], points], table(), time));
    if (played) roll("", ruleset().rolls - 1);
  }

  /** Take back a change, which was the last one here. */
  function undo(/** @type {Change} */ last) {
    const time = Date.now();
    change((now) => sheet.undone(now, last, table(), time));
  }

  return { state, card, table, ruleset, columns, turn, allRolled, boxName, whose, standsIn, standing, isCard, load, show, take, roll, enter, undo };
}
