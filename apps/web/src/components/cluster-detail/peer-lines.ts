/** What people write into a form, a thing a line. Blanks and commas part the words of one. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

const wordsOf = (line: string): string[] => line.split(/[\s,]+/);

/** parseReflectors reads "rr-1 10.0.0.11". What is missing stays empty, for the schema to complain about. */
export function parseReflectors(text: string): { name: string; address: string }[] {
  return linesOf(text).map((line) => {
    const [name = "", ...rest] = wordsOf(line);
    return { name, address: rest.join(" ") };
  });
}

/** parseRouters reads "tor-1 10.0.0.1 65100"; without an AS the router is in the balancers' own. */
export function parseRouters(text: string, asn: number): { name: string; address: string; asn: number }[] {
  return linesOf(text).map((line) => {
    const [name = "", address = "", ...rest] = wordsOf(line);
    return { name, address, asn: rest.length > 0 ? Number(rest.join(" ")) : asn };
  });
}

export function formatPeers(peers: readonly { name: string; address: string; asn?: number }[]): string {
  return peers.map(({ name, address, asn }) => [name, address, ...(asn ? [asn] : [])].join(" ")).join("\n");
}
