// @ts-check
// Buttons that copy a field. A browser that may not copy leaves the text selected.

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]"))) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
  field.addEventListener("focus", () => field.select());
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard?.writeText(field.value);
    if (navigator.clipboard) button.textContent = button.dataset.copied ?? "";
  });
}
