/** shareOut says which part of their sum each is; null for all of them when nothing can be shared. */
export function shareOut(parts: readonly (number | null)[]): (number | null)[] {
  const sum = parts.reduce<number>((all, part) => all + (part ?? 0), 0);
  return parts.map((part) => (part === null || sum <= 0 ? null : part / sum));
}
