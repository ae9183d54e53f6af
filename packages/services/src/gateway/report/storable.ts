const longestText = 2_000;

/** storable shortens text rather than refuse it. PostgreSQL accepts everything but the null character. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").slice(0, longestText);
}
