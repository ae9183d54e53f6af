/** shareOut returns each part's share of the sum; null if the sum is not positive. */
export function shareOut(parts: readonly (number | null)[]): (number | null)[] {
  const sum = parts.reduce<number>((all, part) => all + (part ?? 0), 0);
  return parts.map((part) => (part === null || sum <= 0 ? null : part / sum));
}
