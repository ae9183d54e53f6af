/** Parses the text fields of the form: one item per line, its words separated by blanks or commas. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

const wordsOf = (line: string): string[] => line.split(/[\s,]+/);

/** parseReflectors parses "rr-1 10.0.0.11". Missing parts stay empty and fail the schema. */
export function parseReflectors(text: string): { name: string; address: string }[] {
  return linesOf(text).map((line) => {
    const [name = "", ...rest] = wordsOf(line);
    return { name, address: rest.join(" ") };
  });
}

type RouterLine = { name: string; address: string; asn: number; weights?: boolean };

/**
 * parseRouters parses "tor-1 10.0.0.1 65100 weights". Without an AS, the router is in the balancers' AS. The word weights marks one
 * that spreads flows by link bandwidths.
 */
export function parseRouters(text: string, asn: number): RouterLine[] {
  return linesOf(text).map((line) => {
    const [name = "", address = "", ...words] = wordsOf(line);
    const weights = words.at(-1) === weightsWord;
    const rest = weights ? words.slice(0, -1) : words;
    return {
      ...{ name, address, asn: rest.length > 0 ? Number(rest.join(" ")) : asn },
      ...(weights ? { weights } : {}),
    };
  });
}

const weightsWord = "weights";

export function formatPeers(
  peers: readonly { name: string; address: string; asn?: number; weights?: boolean | undefined }[],
): string {
  return peers
    .map(({ name, address, asn, weights }) =>
      [name, address, ...(asn ? [asn] : []), ...(weights ? [weightsWord] : [])].join(" "),
    )
    .join("\n");
}
