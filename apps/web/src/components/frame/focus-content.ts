/** focusContent focuses the content of the page, so that the next Tab reaches its first control. */
export function focusContent(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}
