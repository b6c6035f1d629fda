// @ts-check
// The coach's advice: a slip of paper, and marks at what it speaks of.

/** @typedef {ReturnType<typeof mount>} Slip */

/**
 * @param {object} given
 * @param {typeof import("./page.js")} given.page
 * @param {import("./play.js").Play} given.play
 * @param {import("./drawing.js").Drawing} given.drawing
 */
export function mount({ page: { $, element, text, decimal, say }, play, drawing }) {
  const { state, table, boxName } = play;

  /** The advice goes when it was read, and its marks with it. */
  function putAway() {
    $("slip").hidden = true;
    document.querySelectorAll(".advised").forEach((marked) => marked.classList.remove("advised"));
  }

  /** What to do, as a person says it. @param {import("./coach.js").Choice} choice */
  function act({ keep, place }) {
    if (place !== null) return text("score", { n: table().score(state.dice, place), box: boxName(place) });
    return keep ? text("hold", { dice: [...keep].join("-") }) : text("roll");
  }

  function advise() {
    const { dice, left } = state;
    const player = play.whose();
    if (player === null || !play.allRolled()) return;
    const choices = table().rank(play.columns()[player], dice, left);
    const [best, second] = choices;
    const loss = (/** @type {number} */ worth) => decimal(Math.max(0, best.worth - worth));
    putAway();
    $("slip-title").textContent = act(best);
    $("slip-next").textContent = second ? runnerUp(act(second), best.worth - second.worth) : "";
    $("slip-choices").replaceChildren(
      ...choices.slice(0, 4).map((choice) =>
        element("tr", {}, element("th", { scope: "row" }, act(choice)), element("td", {}, decimal(choice.worth)), element("td", {}, loss(choice.worth))),
      ),
    );
    $("slip").hidden = false;
    $("slip").scrollIntoView({ block: "nearest" });
    if (best.place !== null) drawing.cellAt(player, best.place).firstElementChild?.classList.add("advised");
    let rest = best.keep ?? "";
    for (const slot of $("slots").children) {
      const face = dice[Number(slot.dataset.slot)];
      if (!face || !rest.includes(face)) continue;
      rest = rest.replace(face, "");
      slot.classList.add("advised");
    }
    say(text("coached", { choice: act(best), n: decimal(best.worth) }));
  }

  /** @param {string} choice @param {number} lost */
  function runnerUp(choice, lost) {
    if (lost < 1e-9) return text("equal", { choice });
    if (decimal(lost) === decimal(0)) return text("near", { choice });
    return text("second", { choice, loss: decimal(lost) });
  }

  return { advise, putAway };
}
