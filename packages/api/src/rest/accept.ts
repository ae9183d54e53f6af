/** accepts reports whether a client that sent this Accept header can read a media type. */
export function accepts(header: string | null, type: string): boolean {
  return qualityFor(header, type) > 0;
}

/** qualityFor returns a client's preference for a media type, from 0 (not acceptable) to 1. */
export function qualityFor(header: string | null, type: string): number {
  if (header === null || header.trim() === "") return 1;
  const [family] = type.split("/");
  // The most specific range decides: "application/json;q=0, */*" rejects JSON.
  const quality = [type, `${family}/*`, "*/*"].map((range) => qualityOf(header, range)).find((each) => each !== null);
  return quality ?? 0;
}

function qualityOf(header: string, range: string): number | null {
  for (const part of header.split(",")) {
    const [name, ...params] = part.split(";").map((each) => each.trim().toLowerCase());
    if (name !== range) continue;
    const q = params.find((each) => each.startsWith("q="))?.slice(2);
    return q === undefined ? 1 : Number(q) || 0;
  }
  return null;
}
