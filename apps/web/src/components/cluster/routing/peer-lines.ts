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

/** parseRouters parses "tor-1 10.0.0.1 65100". Without an AS, the router is in the balancers' AS. */
export function parseRouters(text: string, asn: number): { name: string; address: string; asn: number }[] {
  return linesOf(text).map((line) => {
    const [name = "", address = "", ...rest] = wordsOf(line);
    return { name, address, asn: rest.length > 0 ? Number(rest.join(" ")) : asn };
  });
}

export function formatPeers(peers: readonly { name: string; address: string; asn?: number }[]): string {
  return peers.map(({ name, address, asn }) => [name, address, ...(asn ? [asn] : [])].join(" ")).join("\n");
}
