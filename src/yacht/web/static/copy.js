// @ts-check
// Buttons that copy a field. Where that can't be, as on plain http, the text is selected to be copied.

addEventListener("focusin", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  if (field instanceof HTMLInputElement && document.querySelector(`[data-copy="${field.id}"]`)) field.select();
});

addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-copy]"));
  if (!button) return;
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied ?? button.textContent;
  } catch {
    field.focus();
    button.textContent = button.dataset.selected ?? button.textContent;
  }
});
