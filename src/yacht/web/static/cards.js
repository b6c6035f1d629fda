// @ts-check
// Where cards begin: names and rules for a new one, and all cards that this device has kept.

/** @typedef {import("./sheet.js").Card} Card */

const LARGEST = 5e6; // bytes of a file: what browsers keep

/**
 * @param {object} given
 * @param {typeof import("./page.js")} given.page
 * @param {typeof import("./sheet.js")} given.sheet
 * @param {typeof import("./kept.js")} given.kept
 * @param {import("./play.js").Play} given.play
 * @param {Record<string, import("./coach.js").Table>} given.tables
 * @param {Promise<unknown>} given.ready once the tables are there
 * @param {(some: Card[]) => void} given.saveFile
 * @param {() => string} given.newId
 * @param {(id: string) => void} given.go on with a card
 */
export function mount({ page, sheet, kept, play, tables, ready, saveFile, newId, go }) {
  const { $, element, told, texts, text, whole, date, say, warn, ask } = page;
  const list = /** @type {HTMLOListElement} */ ($("names"));
  const rows = () => /** @type {HTMLLIElement[]} */ ([...list.children]);
  const field = (/** @type {Element} */ row) => /** @type {HTMLInputElement} */ (row.querySelector("input"));
  const all = () => /** @type {Card[]} */ (kept.cards(play.isCard));

  // ---- names ---------------------------------------------------------------------------------

  /** @param {string} name */
  function add(name) {
    list.append($("name-row").content.cloneNode(true));
    field(/** @type {Element} */ (list.lastElementChild)).value = name;
  }

  /** What the fields and buttons are called follows from where they are. */
  function number() {
    for (const [place, row] of rows().entries()) {
      const input = field(row);
      const name = input.value || text("player", { n: place + 1 });
      input.placeholder = text("player", { n: place + 1 });
      input.ariaLabel = text("named", { n: place + 1 });
      const [up, down, leave] = row.querySelectorAll("button");
      up.ariaLabel = text("earlier", { name });
      down.ariaLabel = text("later", { name });
      leave.ariaLabel = text("leave", { name });
      up.disabled = place === 0;
      down.disabled = row === list.lastElementChild;
      leave.disabled = list.children.length === 1;
    }
    $("add").hidden = list.children.length >= told.players;
  }

  /** @param {HTMLLIElement} row @param {number} by */
  function move(row, by) {
    const place = rows().indexOf(row) + by;
    if (by < 0) row.previousElementSibling?.before(row);
    else row.nextElementSibling?.after(row);
    number();
    note();
    say(text("moved", { n: place + 1, name: field(row).value || text("player", { n: place + 1 }) }));
  }

  /** What was typed and chosen so far outlives this page. */
  function note() {
    kept.keepDraft({ names: rows().map((row) => field(row).value), ruleset: $("set-up").elements.ruleset.value });
  }

  $("set-up").addEventListener("input", () => {
    number();
    note();
  });
  list.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    const row = button?.closest("li");
    if (!button || !row) return;
    if (button.dataset.move) {
      move(row, Number(button.dataset.move));
      (button.disabled ? field(row) : button).focus();
    } else {
      const near = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      number();
      note();
      if (near) field(near).focus();
    }
  });
  list.addEventListener("keydown", (event) => {
    const input = /** @type {HTMLElement} */ (event.target);
    const next = input.closest("li")?.nextElementSibling;
    if (event.key !== "Enter" || !input.matches("input") || !next) return;
    event.preventDefault(); // the last name starts the card, the others go on to the next
    field(next).focus();
  });
  list.addEventListener("pointerdown", (event) => {
    const grip = /** @type {Element} */ (event.target).closest(".grip");
    const row = grip?.closest("li");
    if (!grip || !row) return;
    event.preventDefault();
    list.setPointerCapture(event.pointerId); // the row itself goes out of the page for a moment
    row.classList.add("dragged");
    const drag = (/** @type {Event} */ moved) => {
      const at = /** @type {PointerEvent} */ (moved).clientY;
      const middle = (/** @type {Element} */ one) => one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2;
      const after = rows().filter((other) => other !== row && middle(other) < at).at(-1);
      if (after ? after.nextElementSibling !== row : list.firstElementChild !== row) after ? after.after(row) : list.prepend(row);
    };
    list.addEventListener("pointermove", drag);
    list.addEventListener("lostpointercapture", () => {
      list.removeEventListener("pointermove", drag);
      row.classList.remove("dragged");
      number();
      note();
    }, { once: true });
  });
  $("add").addEventListener("click", () => {
    add("");
    number();
    note();
    field(/** @type {Element} */ (list.lastElementChild)).focus();
  });
  let starting = false;
  $("set-up").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (starting) return;
    starting = true;
    await ready;
    starting = false;
    const names = rows().map((row, place) => sheet.named(field(row).value, told) || text("player", { n: place + 1 }));
    const card = sheet.fresh(names, $("set-up").elements.ruleset.value, newId(), Date.now());
    kept.save(card);
    kept.keepDraft(null);
    named = false;
    go(card.id);
    if (!kept.safe()) return warn(text("unkept"));
    navigator.storage?.persist?.(); // browsers agree once the page is used often
  });

  // ---- cards of this device ------------------------------------------------------------------

  /** @param {Card} card */
  const about = (card) => ({ names: card.names.join(texts.comma), date: date(card.started) });

  /** @param {Card} card */
  function row(card) {
    const made = $("card-row").content.cloneNode(true);
    const link = made.querySelector("a");
    const totals = sheet.fold(card, tables[card.ruleset]).map(sheet.total);
    link.href = `#${card.id}`;
    link.querySelector(".who").append(
      ...card.names.flatMap((name, player) => [
        element("span", { class: "score" }, element("bdi", {}, name), " ", element("b", {}, whole(totals[player]))),
        " ",
      ]),
    );
    link.querySelector(".where").textContent = date(card.started);
    const button = made.querySelector("button");
    button.ariaLabel = text("delete", about(card));
    button.addEventListener("click", async () => {
      if (!(await ask(text("ask_delete", about(card))))) return;
      kept.remove(card.id);
      show();
      $("start-title").focus();
    });
    return made;
  }

  $("going-cards").addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link) return;
    event.preventDefault(); // an unfinished card is gone on with, a finished one is looked at
    go(link.hash.slice(1));
  });

  let named = false; // the rows have the names that were typed, or those of the last card

  function show() {
    const [last] = listed();
    for (const id of ["set-up", "files"]) $(id).classList.remove("waits");
    if (named) return;
    const { names, ruleset } = kept.draft() ?? last ?? { names: ["", ""] };
    list.replaceChildren();
    for (const name of names) add(name);
    if (ruleset) $("set-up").elements.ruleset.value = ruleset;
    number();
    named = true;
  }

  /** The lists of what this device has, and the cards in them. */
  function listed() {
    const cards = all();
    for (const [id, some] of /** @type {[string, Card[]][]} */ ([
      ["going", cards.filter((card) => card.finished === null)],
      ["finished", cards.filter((card) => card.finished !== null)],
    ])) {
      $(id).hidden = !some.length;
      $(`${id}-cards`).replaceChildren(...some.map(row));
    }
    $("save-all").hidden = !cards.length;
    return cards;
  }

  // ---- files ---------------------------------------------------------------------------------

  $("save-all").addEventListener("click", () => saveFile(all()));
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    if (!file) return;
    await ready;
    const read = file.size > LARGEST ? sheet.NO_CARDS : sheet.fromFile(await file.text(), tables, told);
    $("file").value = "";
    warn("");
    if (!Array.isArray(read)) {
      const { box } = read.values;
      return warn(text(read.problem, box ? { ...read.values, box: texts.boxes[box] } : read.values));
    }
    let taken = 0;
    for (const card of read) {
      const here = play.load(card.id);
      const same = here && sheet.alike(here, card);
      if (here && !same && !(await ask(text("ask_replace", about(here))))) continue;
      if (!same) kept.save(card);
      taken += 1;
    }
    show();
    warn(text(kept.safe() ? "imported" : "unkept", { n: taken }));
  });

  return { show, list: listed };
}
