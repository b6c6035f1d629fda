// @ts-check
// What dice are worth: a table of the engine, and the best play that follows from it.
// It knows no rule of the game. The rolls, the boxes and their points come from the table.

/**
 * Hold the faces of `keep` and roll the rest, or score in the box at `place`; one of them is null.
 * `worth` is the expected final total.
 * @typedef {{ keep: string | null, place: number | null, worth: number }} Choice
 */

const DECIMALS = 1e9; // expected totals that agree to nine decimals are equal

/** A ruleset as its table tells it: `rolls` are all rolls, as sorted faces, in the table's order. */
export class Table {
  /** @type {ReturnType<typeof lattice> | undefined} made for the first advice */
  #lattice;

  /** @param {string[]} rolls @param {string[]} boxes @param {ArrayBuffer} content */
  constructor(rolls, boxes, content) {
    const size = rolls.length * boxes.length;
    const view = new DataView(content, size);
    this.boxes = boxes;
    this.rolls = rolls;
    this.points = new Uint8Array(content, 0, size);
    this.values = Float64Array.from({ length: 1 << boxes.length }, (_, set) => view.getFloat64(8 * set, true));
    /** The points, other than 0, that best play writes most often in each box. */
    this.usual = [...new Uint8Array(content, size + 8 * this.values.length)];
    this.number = new Map(rolls.map((roll, number) => [roll, number]));
    /** The points that each box can have, the lowest first. */
    this.given = boxes.map((_, place) =>
      [...new Set(rolls.map((_, roll) => this.points[roll * boxes.length + place]))].sort((a, b) => a - b),
    );
  }

  /** @param {string} dice faces in any order @param {number} place */
  score(dice, place) {
    return this.points[/** @type {number} */ (this.number.get(sorted(dice))) * this.boxes.length + place];
  }

  /**
   * Every distinct choice, the best first; among equals boxes in card order, then larger keeps.
   * @param {(number | null)[]} column the card; null is an open box
   * @param {string} dice @param {number} left rolls that are left
   * @returns {Choice[]}
   */
  rank(column, dice, left) {
    const { keeps, more, contained, first } = (this.#lattice ??= lattice(this.rolls));
    const open = column.flatMap((points, place) => (points === null ? [place] : []));
    const set = open.reduce((bits, place) => bits | (1 << place), 0);
    const total = column.reduce((/** @type {number} */ sum, points) => sum + (points ?? 0), 0);
    /** @param {number} roll @param {number} place */
    const scored = (roll, place) => this.points[roll * this.boxes.length + place] + this.values[set ^ (1 << place)];

    const worth = new Float64Array(keeps.length);
    this.rolls.forEach((_, roll) => (worth[first + roll] = Math.max(...open.map((place) => scored(roll, place)))));
    for (let rolled = 1; rolled <= left; rolled++) {
      if (rolled > 1) {
        // with a roll more, a roll is worth the best of itself and of what it contains
        const best = contained.map((within, roll) => within.reduce((most, keep) => Math.max(most, worth[keep]), worth[first + roll]));
        worth.set(best, first);
      }
      for (let keep = first - 1; keep >= 0; keep--)
        worth[keep] = more[keep].reduce((sum, larger) => sum + worth[larger], 0) / more[keep].length;
    }

    const roll = /** @type {number} */ (this.number.get(sorted(dice)));
    /** @type {Choice[]} */
    const choices = open.map((place) => ({ keep: null, place, worth: total + scored(roll, place) }));
    if (left) for (const keep of contained[roll]) choices.push({ keep: keeps[keep], place: null, worth: total + worth[keep] });
    const order = (/** @type {Choice} */ choice) => -Math.round(choice.worth * DECIMALS);
    return choices.sort((one, other) => order(one) - order(other));
  }
}

/** @param {string} dice */
const sorted = (dice) => [...dice].sort().join("");

/**
 * All that can be held, fewest dice first, then the rolls from `first` on, in the table's order;
 * what each keep becomes with one more die, and the keeps within each roll, the last ones first.
 * @param {string[]} rolls
 */
function lattice(rolls) {
  const sizes = [rolls];
  while (sizes[0][0]) sizes.unshift([...new Set(sizes[0].flatMap(fewer))].sort());
  const keeps = sizes.flat();
  const number = new Map(keeps.map((keep, place) => [keep, place]));
  const place = (/** @type {string} */ keep) => /** @type {number} */ (number.get(keep));
  const first = keeps.length - rolls.length;
  const faces = sizes[1];
  const more = keeps.slice(0, first).map((keep) => faces.map((face) => place(sorted(keep + face))));
  const within = keeps.map(() => new Set(/** @type {number[]} */ ([])));
  keeps.forEach((keep, at) => {
    for (const smaller of keep ? fewer(keep) : []) {
      within[at].add(place(smaller));
      for (const other of within[place(smaller)]) within[at].add(other);
    }
  });
  const contained = within.slice(first).map((set) => [...set].sort((a, b) => b - a));
  return { keeps, more, contained, first };
}

/** @param {string} keep what is left without one of its dice */
function fewer(keep) {
  return [...new Set([...keep].map((_, place) => keep.slice(0, place) + keep.slice(place + 1)))];
}
