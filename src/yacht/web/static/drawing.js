// @ts-check
// Draws the card that is shown, and below it what can be tapped.

/** @typedef {import("./sheet.js").Card} Card */
/** @typedef {import("./sheet.js").Column} Column */
/** @typedef {ReturnType<typeof mount>} Drawing */

/**
 * @param {object} given
 * @param {typeof import("./page.js")} given.page
 * @param {typeof import("./sheet.js")} given.sheet
 * @param {import("./play.js").Play} given.play
 */
export function mount({ page: { $, element, drawn, told, texts, text, whole, date }, sheet, play }) {
  const { state, table, columns, allRolled, boxName } = play;
  const cells = () => /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(".cell")]);
  const cellAt = (/** @type {number} */ player, /** @type {number} */ place) =>
    /** @type {HTMLButtonElement} */ (document.querySelector(`[data-player="${player}"][data-place="${place}"]`));

  /** The one cell that Tab comes to. @param {HTMLElement} cell */
  function reach(cell) {
    for (const other of cells()) other.tabIndex = other === cell ? 0 : -1;
  }

  /** Something that can be pressed, or can't now. @param {HTMLElement} control @param {boolean} rests */
  function rest(control, rests) {
    if (rests) control.setAttribute("aria-disabled", "true");
    else control.removeAttribute("aria-disabled");
  }

  /** The empty table of the card, its boxes in its order. */
  function build() {
    const { names, ruleset, started } = play.card();
    const grid = /** @type {HTMLTableElement} */ (document.querySelector(".card"));
    const [head, possible, rank] = /** @type {HTMLTableRowElement[]} */ ([grid.tHead?.rows[0], $("possible"), $("rank")]);
    for (const one of [head, possible, rank]) while (one.cells.length > 1) one.lastElementChild?.remove();
    grid.querySelectorAll("tbody").forEach((body) => body.remove());
    grid.tHead?.after($(`rows-${ruleset}`).content.cloneNode(true));
    names.forEach((name, player) => {
      const called = element("span", { class: "who" }, element("span", { class: "name" }, element("bdi", {}, name)));
      head.append(element("th", { scope: "col", id: `seat${player}` }, called, " ", element("span", { class: "total" }), " ", element("span", { class: "unseen" }, texts.in_all)));
      for (const one of [possible, rank]) one.append(element("td", {}));
    });
    for (const [place, box] of play.ruleset().boxes.entries()) {
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
    $("lefts").replaceChildren(...Array.from({ length: play.ruleset().rolls }, (_, n) => number(n)).reverse());
  }

  function render() {
    const { names, log } = play.card();
    const written = columns();
    const turn = sheet.onTurn(written);
    const totals = written.map(sheet.total);
    const ranks = sheet.ranks(totals);
    $("game").classList.toggle("over", turn === null);
    $("possible").hidden = turn === null;
    names.forEach((_, player) => {
      const head = $(`seat${player}`);
      head.querySelector(".total").textContent = whole(totals[player]);
      head.toggleAttribute("aria-current", false);
      if (player === turn) head.setAttribute("aria-current", "true");
      $("possible").cells[player + 1].textContent = whole(sheet.possible(written[player], table()));
      $("rank").cells[player + 1].textContent = log.length ? whole(ranks[player]) : "";
    });
    for (const cell of cells()) renderCell(cell, written, turn);
    const reachable = cells().find((cell) => cell.tabIndex === 0);
    if (!reachable) cellAt(turn ?? 0, Math.max(0, written[turn ?? 0].indexOf(null))).tabIndex = 0;
    renderTray(turn, totals, ranks);
    document.title = `${turn === null ? play.standing() : text("turn", { name: names[turn] })} · ${texts.yacht}`;
    follow();
    $("game").style.setProperty("--tray", `${$("tray").offsetHeight}px`); // what it covers on a phone
  }

  /** @param {HTMLButtonElement} cell @param {Column[]} written @param {number | null} turn */
  function renderCell(cell, written, turn) {
    const { playing, panel, chosen, dice } = state;
    const [player, place] = [Number(cell.dataset.player), Number(cell.dataset.place)];
    const points = written[player][place];
    const pencilled = playing && panel && allRolled() && points === null && player === play.whose();
    const given = pencilled ? table().score(dice, place) : null;
    const values = { box: boxName(place), name: play.card().names[player] };
    const mark = /** @type {HTMLElement} */ (cell.firstElementChild);
    /** @type {HTMLElement} */ (cell.parentElement).className = `${points === null ? "open" : "ink"}${player === turn ? " now" : ""}`;
    mark.textContent = points === 0 ? "–" : points !== null ? whole(points) : given !== null ? whole(given) : "";
    mark.classList.toggle("zero", points === 0);
    if (given === null) mark.classList.remove("advised");
    cell.ariaLabel =
      points !== null ? text("written", { ...values, n: points }) : given !== null ? text("pencilled", { ...values, n: given }) : text("open", values);
    if (playing) cell.setAttribute("aria-expanded", String(chosen?.player === player && chosen.place === place));
    else cell.removeAttribute("aria-expanded");
    rest(cell, !playing);
  }

  /** @param {number | null} turn @param {number[]} totals @param {number[]} ranks */
  function renderTray(turn, totals, ranks) {
    const { playing, panel, chosen } = state;
    const { names, log } = play.card();
    const over = turn === null;
    $("calm").hidden = panel !== "";
    $("entry").hidden = panel === "";
    $("close").hidden = panel === "";
    $("clear").hidden = !chosen || columns()[chosen.player][chosen.place] === null;
    $("heading").textContent = chosen
      ? text("chosen", { box: boxName(chosen.place), name: names[chosen.player] })
      : over ? play.standing() : text("turn", { name: names[turn] });
    $("result").hidden = !over || names.length === 1;
    const ranked = names.map((name, player) => ({ name, rank: ranks[player], total: totals[player] })).sort((one, other) => one.rank - other.rank);
    $("result").replaceChildren(
      ...ranked.map(({ name, rank, total }) =>
        element("li", {}, element("span", { class: "rank" }, whole(rank)), element("bdi", {}, name), element("b", {}, whole(total))),
      ),
    );
    $("hint").hidden = !playing || over || panel === "box";
    $("undo").hidden = !playing;
    rest($("undo"), !log.length);
    $("open-dice").hidden = !playing || over;
    $("again").hidden = !playing || !over;
    $("change").hidden = playing;
    renderEntry();
  }

  function renderEntry() {
    const { panel, chosen, dice, left } = state;
    $("values").hidden = $("usual").hidden = panel !== "box" || !chosen;
    const player = play.whose();
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
    for (const button of $("faces").children) rest(button, allRolled());
    for (const button of $("lefts").children) button.ariaPressed = String(Number(button.dataset.left) === left);
    rest($("coach"), !allRolled());
  }

  /** What a box can have; first what the dice give. @param {number} player @param {number} place */
  function renderValues(player, place) {
    const usual = table().usual[place];
    const points = columns()[player][place];
    const rolled = allRolled() ? table().score(state.dice, place) : null;
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
    $("usual").textContent = points === null && rolled === null ? text("usual", { n: usual }) : "";
    $("usual").hidden = !$("usual").textContent;
    const shown = `${player} ${place} ${points} ${rolled}`;
    if ($("values").dataset.shown === shown) return;
    $("values").dataset.shown = shown;
    $("values").replaceChildren(...ordered.map(value));
  }

  let followed = "";

  /** The chosen column, or that on turn, is in view beside the names of the boxes. */
  function follow() {
    const column = state.chosen ? $(`seat${state.chosen.player}`) : document.querySelector(".card [aria-current]");
    if (!column || column.id === followed) return;
    followed = column.id;
    const names = /** @type {HTMLElement} */ (document.querySelector(".card tbody th")).offsetWidth;
    $("scroll").style.scrollPaddingInlineStart = `${names}px`;
    const { offsetLeft, offsetWidth } = /** @type {HTMLElement} */ (column);
    const { scrollLeft, clientWidth } = $("scroll");
    const seen = offsetLeft >= scrollLeft + names && offsetLeft + offsetWidth <= scrollLeft + clientWidth;
    if (!seen) $("scroll").scrollLeft = offsetLeft - names;
  }

  let before = { was: 0, is: 0 }; // where the page was, and is since a box was brought into view

  /** A box comes into view, above the tray where that is at the foot of the page. @param {Element} cell */
  function bring(cell) {
    const was = scrollY;
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    before = { was: was === before.is ? before.was : was, is: scrollY };
  }

  /** The page goes back to where it was, unless somebody has moved it. */
  function sendBack() {
    if (scrollY === before.is) scrollTo(0, before.was);
    before = { was: scrollY, is: scrollY };
  }

  /** Show where something has changed. @param {Element} cell */
  function point(cell) {
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    cell.animate([{ background: "var(--felt)", outline: "2px solid var(--ink)" }, {}], { duration: 1200, easing: "ease-in" });
  }

  return { cellAt, reach, build, render, bring, sendBack, point };
}
