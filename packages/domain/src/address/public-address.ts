import { type Prefix, parsePrefix, prefixContains } from "./address.ts";
import { isSix } from "./family.ts";

// Ranges that IANA's special-purpose registries exclude from the internet, and ranges that embed such addresses.
const privateFour = prefixes(
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
// Global unicast, the only public range of IPv6: it excludes loopback, link-local, private and IPv4-mapped addresses.
const publicSix = prefixes("2000::/3");
const privateSix = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");
// Addresses of the own host, or on its link, such as a cloud's metadata service; multicast and reserved addresses; and
// ranges that embed IPv4 addresses, which may be one of these.
const ownFour = prefixes("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3");
const ownSix = prefixes("::/96", "::ffff:0:0/96", "64:ff9b::/96", "fd00:ec2::254/128", "fe80::/10", "ff00::/8");

/** isPublicAddress reports whether an address is on the internet, rather than in the operator's own network. */
export function isPublicAddress(address: string): boolean {
  return isSix(address)
    ? isWithin(address, publicSix) && !isWithin(address, privateSix)
    : !isWithin(address, privateFour);
}

/** isOwnAddress reports whether an address leads, or may lead, to the connecting host itself or to its link. */
export function isOwnAddress(address: string): boolean {
  return isWithin(address, isSix(address) ? ownSix : ownFour);
}

function isWithin(address: string, ranges: readonly Prefix[]): boolean {
  const withoutZone = address.replace(/%.*$/, "");
  return ranges.some((range) => prefixContains(range, withoutZone));
}

function prefixes(...texts: string[]): Prefix[] {
  return texts.map((text) => {
    const parsed = parsePrefix(text);
    if ("problem" in parsed) throw new Error(parsed.problem);
    return parsed;
  });
}
