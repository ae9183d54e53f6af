/** moveBy returns the row that a key moves to, or null for other keys. */
export function moveBy(key: string, from: number, size: { total: number; screen: number }): number | null {
  const clamp = (index: number) => Math.max(0, Math.min(index, size.total - 1));
  switch (key) {
    case "ArrowDown":
      return clamp(from + 1);
    case "ArrowUp":
      return clamp(from - 1);
    case "PageDown":
      return clamp(from + size.screen);
    case "PageUp":
      return clamp(from - size.screen);
    case "Home":
      return 0;
    case "End":
      return clamp(size.total - 1);
    default:
      return null;
  }
}
