import { isAddress, type Prefix, parsePrefix, prefixContains } from "../address/address.ts";
import { hostPrefix } from "../address/family.ts";

/** readProxies parses FAIRLEAD_TRUSTED_PROXIES: comma-separated addresses and prefixes. */
export function readProxies(text: string | undefined): Prefix[] | { problem: string } {
  const listed = (text ?? "").split(",").map((each) => each.trim());
  const prefixes: Prefix[] = [];
  for (const each of listed.filter((one) => one !== "")) {
    const parsed = parsePrefix(isAddress(each) ? hostPrefix(each) : each);
    if ("problem" in parsed) return { problem: `enter addresses or prefixes; of "${each}": ${parsed.problem}` };
    prefixes.push(parsed);
  }
  return prefixes;
}

/**
 * clientAddressOf returns the client of a request: the peer of the connection or, if that is a trusted proxy, the last
 * address in X-Forwarded-For that isn't one. Addresses that a client puts into the header itself come before those that
 * trusted proxies append, so they are never reached. null if the address is unknown.
 */
export function clientAddressOf(
  connected: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly Prefix[],
): string | null {
  let address = plain(connected ?? "");
  const before = (forwardedFor ?? "").split(",").map((each) => each.trim());
  while (address !== null && isTrusted(address, trusted)) {
    const next = before.pop();
    if (next === undefined || next === "") return address;
    address = plain(next);
  }
  return address;
}

function isTrusted(address: string, trusted: readonly Prefix[]): boolean {
  return trusted.some((each) => prefixContains(each, address));
}

/** Strips brackets, port and zone, and the prefix of an IPv4-mapped address. */
function plain(text: string): string | null {
  const bare = text
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  return isAddress(bare) ? bare : null;
}
