import { addressToNumber, isSix, type Prefix, parsePrefix } from "./address.ts";

// What IANA's registries of special-purpose addresses keep out of the Internet, and what wraps such an address.
const insideFour = prefixes(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
);
// Of IPv6 only this is the Internet: loopback, link-local, private and IPv4-mapped addresses are all outside of it.
const outsideSix = prefixes("2000::/3");
const insideSix = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

/** isPublicAddress answers whether an address is out on the Internet, rather than in a network of whoever runs us. */
export function isPublicAddress(address: string): boolean {
  const family = isSix(address) ? 6 : 4;
  const value = addressToNumber(address.replace(/%.*$/, ""), family);
  const isIn = (ranges: readonly Prefix[]) => ranges.some(({ first, last }) => value >= first && value <= last);
  return family === 4 ? !isIn(insideFour) : isIn(outsideSix) && !isIn(insideSix);
}

function prefixes(...texts: string[]): Prefix[] {
  return texts.map((text) => {
    const parsed = parsePrefix(text);
    if ("problem" in parsed) throw new Error(parsed.problem);
    return parsed;
  });
}
