// @ts-check
// The button that opens the browser's print dialog is there only with this script.

const button = /** @type {HTMLButtonElement} */ (document.querySelector("#print"));
button.addEventListener("click", () => print());
button.hidden = false;
