// @ts-check
// Buttons that copy a field. A browser that may not copy leaves the text selected.

addEventListener("focusin", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  if (field instanceof HTMLInputElement && document.querySelector(`[data-copy="${field.id}"]`)) field.select();
});

addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-copy]"));
  if (!button) return;
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
  field.select();
  await navigator.clipboard?.writeText(field.value);
  if (navigator.clipboard) button.textContent = button.dataset.copied ?? "";
});
