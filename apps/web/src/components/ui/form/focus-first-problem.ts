const problems = [
  "[aria-invalid=true]",
  // A group of fields with one error for all of them.
  "fieldset:has(> [role=alert]):not(:has([aria-invalid=true])) :is(input, select, textarea, button)",
].join(", ");

/** focusFirstProblem focuses the first invalid field, once it is rendered as invalid. */
export function focusFirstProblem(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>(problems)?.focus());
}
