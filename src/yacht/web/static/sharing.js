// @ts-check
// A card leaves this device: as text, as a picture, as a file.

/** @typedef {import("./sheet.js").Card} Card */

/**
 * @param {object} given
 * @param {typeof import("./page.js")} given.page
 * @param {typeof import("./sheet.js")} given.sheet
 * @param {typeof import("./picture.js")} given.picture
 * @param {import("./play.js").Play} given.play
 */
export function mount({ page: { $, element, text, whole, date, warn }, sheet, picture, play }) {
  const { columns, boxName } = play;

  function asText() {
    const { names, started } = play.card();
    const written = columns();
    const totals = written.map(sheet.total);
    const ranks = sheet.ranks(totals);
    const lines = names.map((name, player) => ({ rank: ranks[player], line: text("ranked", { rank: ranks[player], name, n: totals[player] }) }));
    const boxes = play.ruleset().boxes.map((_, place) => `${boxName(place)}: ${written.map((column) => column[place] ?? "·").join(" | ")}`);
    const ranked = lines.sort((one, other) => one.rank - other.rank).map(({ line }) => line);
    const heads = names.length > 1 ? [names.join(" | ")] : [];
    return [text("shared", { date: date(started) }), ...ranked, "", ...heads, ...boxes].join("\n");
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
    const { names, started, id } = play.card();
    const written = columns();
    const blob = await picture.drawn({
      title: text("shared", { date: date(started) }),
      names,
      totals: written.map((column) => whole(sheet.total(column))),
      rows: play.ruleset().boxes.map((_, place) => [boxName(place), ...written.map((column) => (column[place] === null ? "" : column[place] ? whole(column[place]) : "–"))]),
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

  return { shareText, sharePicture, saveFile };
}
