// @ts-check
/** Sets the analysis without a page load: the form is sent, and what comes back takes its place. */

const form = /** @type {HTMLFormElement} */ (document.getElementById("set"));
const set = ["ruleset", "dice", "rolls"];
let waiting = 0;
let shown = Promise.resolve();

/** @param {HTMLElement | null} pressed */
async function show(pressed) {
  const query = new URLSearchParams();
  for (const [name, text] of new FormData(form, pressed)) query.append(name, String(text));
  try {
    const answer = await fetch(`${form.action}?${query}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("set");
    if (!fresh) throw new Error(String(answer.status));
    waiting -= 1;
    if (waiting) {
      // the next step starts from here; the rest stays as it was set meanwhile
      for (const name of set) field(form, name).value = field(fresh, name).value;
    } else {
      // @ts-ignore (a classic script that was loaded before)
      Idiomorph.morph(form, fresh, { morphStyle: "outerHTML", ignoreActiveValue: true });
      history.replaceState(null, "", answer.url);
    }
  } catch {
    location.assign(`${form.action}?${query}`);
  }
}

/** @param {HTMLElement} within @param {string} name */
function field(within, name) {
  return /** @type {HTMLInputElement} */ (within.querySelector(`input[name=${name}]`));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { submitter } = event;
  waiting += 1;
  shown = shown.then(() => show(submitter)); // two quick presses are two steps
});
form.addEventListener("change", () => {
  form.requestSubmit(/** @type {HTMLElement} */ (form.querySelector("[value=show]")));
});
