/** focusFirstProblem brings the keyboard to the first field that is wrong, once it is drawn as such. */
export function focusFirstProblem(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
