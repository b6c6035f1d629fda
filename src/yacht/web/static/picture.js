// @ts-check
// A card as a picture, drawn in the colours and the type of the page.

const [ROW, LABEL, COLUMN, EDGE, SCALE] = [44, 190, 110, 32, 2];
const SMALLEST = 12; // what is longer even so is cut

/**
 * `rows` are the box's name and then each player's points, as text.
 * @param {{ title: string, names: string[], totals: string[], rows: string[][] }} card
 * @returns {Promise<Blob | null>} null if the device can't make it
 */
export async function drawn({ title, names, totals, rows }) {
  await document.fonts.ready;
  const canvas = document.createElement("canvas");
  const [width, top] = [LABEL + COLUMN * names.length, EDGE + ROW + 2 * ROW];
  canvas.width = SCALE * (width + 2 * EDGE);
  canvas.height = SCALE * (top + ROW * rows.length + EDGE);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`);
  const serif = colour("serif");
  /** @param {string} text @param {number} x @param {number} y @param {number} weight @param {number} size @param {number} most @param {CanvasTextAlign} align */
  const write = (text, x, y, weight, size, most, align = "center") => {
    const fits = (/** @type {string} */ some) => pen.measureText(some).width <= most;
    do pen.font = `${weight} ${size}px ${serif}`;
    while (!fits(text) && size-- > SMALLEST);
    let [signs, cut] = [[...text], text];
    while (!fits(cut)) cut = `${(signs = signs.slice(0, -1)).join("")}…`;
    pen.textAlign = align;
    pen.fillText(cut, x, y);
  };
  const line = (/** @type {number} */ y, /** @type {number} */ thick, /** @type {string} */ name) => {
    pen.fillStyle = colour(name);
    pen.fillRect(EDGE, y, width, thick);
    pen.fillStyle = colour("ink");
  };

  pen.scale(SCALE, SCALE);
  pen.fillStyle = colour("sheet");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "middle";
  pen.fillStyle = colour("ink");
  write(title, EDGE, EDGE + ROW / 2, 600, 24, width, "left");
  names.forEach((name, player) => {
    const x = EDGE + LABEL + COLUMN * (player + 0.5);
    write(name, x, EDGE + ROW * 1.5, 500, 17, COLUMN - 8);
    write(totals[player], x, EDGE + ROW * 2.35, 700, 30, COLUMN - 8);
  });
  line(top - 3, 2, "rule");
  rows.forEach(([box, ...points], place) => {
    const y = top + ROW * (place + 0.5);
    write(box, EDGE, y, 500, 17, LABEL - 8, "left");
    points.forEach((text, player) => write(text, EDGE + LABEL + COLUMN * (player + 0.5), y, 600, 19, COLUMN - 8));
    line(top + ROW * (place + 1), 1, place === rows.length - 1 ? "rule" : "line");
  });
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
