/** focusFirstProblem focuses the first invalid field, once it is rendered as invalid. */
export function focusFirstProblem(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
