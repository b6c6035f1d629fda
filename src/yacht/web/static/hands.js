// @ts-check
// What fingers and keys do with the card that is shown.

/**
 * @param {object} given
 * @param {typeof import("./page.js")} given.page
 * @param {typeof import("./kept.js")} given.kept
 * @param {import("./play.js").Play} given.play
 * @param {import("./drawing.js").Drawing} given.drawing
 * @param {import("./slip.js").Slip} given.slip
 * @param {Record<string, () => void>} given.others what the buttons with these ids do
 */
export function mount({ page: { $, texts, text, say }, kept, play, drawing, slip, others }) {
  const { state, columns, allRolled } = play;
  const { cellAt } = drawing;

  // ---- acts ----------------------------------------------------------------------------------

  /** @param {number} player @param {number} place */
  function open(player, place) {
    if (!state.playing) return;
    Object.assign(state, { chosen: { player, place }, panel: "box" });
    slip.putAway();
    drawing.render();
    drawing.bring(cellAt(player, place));
  }

  function openDice() {
    Object.assign(state, { chosen: null, panel: "dice" });
    drawing.render();
    $("faces").firstElementChild.focus({ preventScroll: true });
  }

  function close() {
    const { chosen } = state;
    drawing.sendBack();
    const within = [$("entry"), $("close"), $("clear")].some((one) => one.contains(document.activeElement));
    Object.assign(state, { chosen: null, panel: "" });
    slip.putAway();
    drawing.render();
    if (within) (chosen ? cellAt(chosen.player, chosen.place) : $("open-dice")).focus({ preventScroll: true });
  }

  /** @param {number} player @param {number} place @param {number | null} points */
  function enter(player, place, points) {
    play.enter(player, place, points);
    close();
    cellAt(player, place).focus({ preventScroll: true });
    say(`${play.standsIn(player, place)} ${play.standing()}`);
  }

  /** Write the most usual points of an open box. @param {HTMLElement} cell */
  function usual(cell) {
    const [player, place] = [Number(cell.dataset.player), Number(cell.dataset.place)];
    if (!state.playing || columns()[player][place] !== null) return false;
    enter(player, place, play.table().usual[place]);
    return true;
  }

  function undo() {
    const last = play.card().log.at(-1);
    if (!state.playing || !last) return;
    play.undo(last);
    close();
    const [player, box] = last;
    const place = play.ruleset().boxes.indexOf(box);
    drawing.point(cellAt(player, place));
    say(`${play.standsIn(player, place)} ${play.standing()}`);
  }

  /** @param {string} dice @param {number} left */
  function roll(dice, left = state.left) {
    play.roll(dice, left);
    slip.putAway();
    drawing.render();
  }

  /** @param {string} dice */
  function setDice(dice) {
    roll(dice);
    if (dice) say(text("dice", { dice: [...dice].join(texts.comma) }));
  }

  /** @param {number} slot */
  function takeDie(slot) {
    setDice(state.dice.slice(0, slot) + state.dice.slice(slot + 1));
    const near = [...$("slots").querySelectorAll("[data-slot]")][Math.min(slot, state.dice.length - 1)];
    (near ?? $("faces").firstElementChild).focus({ preventScroll: true });
  }

  /** @param {string} face */
  function addDie(face) {
    if (!allRolled()) setDice(state.dice + face);
  }

  /** @type {Record<string, () => void>} what the buttons with these ids do */
  const acts = {
    ...others,
    undo,
    "open-dice": openDice,
    close,
    clear: () => state.chosen && enter(state.chosen.player, state.chosen.place, null),
    "no-dice": () => {
      setDice("");
      $("faces").firstElementChild.focus({ preventScroll: true });
    },
    coach: slip.advise,
    "slip-close": () => {
      slip.putAway();
      $("coach").focus({ preventScroll: true });
    },
  };

  // ---- fingers -------------------------------------------------------------------------------

  const LONG = 550;
  const SLACK = 10; // pixels that a resting finger moves
  const CLICK = 100; // milliseconds within which a click follows, if one does
  let press = /** @type {{ cell: HTMLElement, x: number, y: number, long: ReturnType<typeof setTimeout> } | null} */ (null);
  let entered = false; // by a long press, whose click means nothing more
  let pressed = /** @type {Element | null} */ (null); // what the last click was on

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

  $("game").addEventListener("click", (/** @type {PointerEvent} */ event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button"));
    // the second click of a double click means what the first one was on, which may have gone
    const stray = event.detail > 1 && button !== pressed;
    pressed = button;
    if (!button || button.ariaDisabled === "true" || stray || entered) return void (entered = false);
    const { player, place, points, face, slot, left } = button.dataset;
    const { chosen, dice } = state;
    if (player && place) {
      drawing.reach(button);
      if (chosen?.player === Number(player) && chosen.place === Number(place)) close();
      else open(Number(player), Number(place));
    } else if (points && chosen) enter(chosen.player, chosen.place, Number(points));
    else if (face) addDie(face);
    else if (slot) takeDie(Number(slot));
    else if (left) roll(dice, Number(left));
    else acts[button.id]?.();
  });

  // ---- keys ----------------------------------------------------------------------------------

  $("use-keys").checked = kept.settings().keys ?? true;
  $("use-keys").addEventListener("change", () => kept.keepKeys($("use-keys").checked));

  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const typing = target.matches("input:not([type=radio], [type=checkbox]), textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || !state.card) return;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const presses = (event.key === "Enter" || event.key === " ") && target.matches("button");
    if (event.repeat && presses) return event.preventDefault(); // held, it presses once
    if (event.repeat && !step) return;
    if (event.key === "Escape") close();
    else if (step && target.matches(".cell")) {
      const next = cellAt(Number(target.dataset.player) + step[1], Number(target.dataset.place) + step[0]);
      if (!next) return;
      drawing.reach(next);
      next.focus();
    } else if (event.key === "Enter" && event.shiftKey && target.matches(".cell")) usual(target);
    else if (!$("use-keys").checked) return;
    else if (state.panel && [...$("faces").children].some((button) => button.dataset.face === event.key)) addDie(event.key);
    else if (state.panel && event.key === "Backspace") setDice(state.dice.slice(0, -1));
    else if (/^u$/i.test(event.key)) undo();
    else if (event.key === "?") {
      $("keys").open = true;
      $("keys").querySelector("summary").focus();
    } else return;
    event.preventDefault();
  });

  return { close };
}
