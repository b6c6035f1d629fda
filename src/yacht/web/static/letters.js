// @ts-check
// Random letters for the seal of a new room; the page of the room checks that they get into it.

for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=salt]"))) {
  field.value ||= btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(15))));
}

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const data = new FormData(form);
  const room = new URL(form.action).pathname.replace(/rooms$/, `g/${data.get("room")}`);
  try {
    localStorage.setItem(`yacht-seal ${room}`, JSON.stringify({ letters: data.get("salt") }));
  } catch {
    // then it isn't checked
  }
});
