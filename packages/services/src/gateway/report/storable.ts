const longestText = 2_000;

/** storable shortens text for people rather than refuse it. PostgreSQL takes everything but the null character. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").slice(0, longestText);
}
