// The button that opens the browser's print dialog is there only with this script.
const button = document.querySelector("#print");
button.addEventListener("click", () => print());
button.hidden = false;
