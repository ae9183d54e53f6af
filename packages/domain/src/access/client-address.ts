import { isAddress, type Prefix, parsePrefix, prefixContains } from "../address/address.ts";
import { hostPrefix } from "../address/family.ts";

/** readProxies reads what FAIRLEAD_TRUSTED_PROXIES lists: addresses and prefixes of proxies, commas between. */
export function readProxies(text: string | undefined): Prefix[] | { problem: string } {
  const listed = (text ?? "").split(",").map((each) => each.trim());
  const prefixes: Prefix[] = [];
  for (const each of listed.filter((one) => one !== "")) {
    const parsed = parsePrefix(isAddress(each) ? hostPrefix(each) : each);
    if ("problem" in parsed) return { problem: `write addresses or prefixes; of "${each}": ${parsed.problem}` };
    prefixes.push(parsed);
  }
  return prefixes;
}

/**
 * clientAddressOf finds out where a request comes from: whoever connected, or, where that is a proxy that we trust, whom it
 * and those before it say that they had it from. What a client writes into the header itself stands in front of what the
 * first trusted proxy adds, and is never reached. null when it can't be told.
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

/** An address without what is written around it: IPv4 in IPv6's clothes, a zone, a port. */
function plain(text: string): string | null {
  const bare = text
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  return isAddress(bare) ? bare : null;
}
