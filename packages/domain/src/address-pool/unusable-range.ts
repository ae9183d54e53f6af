import { type Prefix, parsePrefix } from "../address/address.ts";

const unusable = [
  ["0.0.0.0/8", "addresses of the own host"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["::/96", "loopback and reserved"],
  ["::ffff:0:0/96", "IPv4 addresses written as IPv6"],
  ["fe80::/10", "link-local"],
  ["ff00::/8", "multicast"],
] as const;
const ranges = unusable.map(([text, reason]) => ({ text, reason, range: parsed(text) }));

/**
 * findUnusable returns why clients can't connect to addresses of a prefix, or null. Private and documentation ranges are
 * fine: clients may be in the same network.
 */
export function findUnusable({ family, first, last, length }: Prefix): string | null {
  if (length === 0) return "it covers all addresses; choose the range that is routed to this cluster";
  const hit = ranges.find(({ range }) => range.family === family && range.first <= last && range.last >= first);
  return hit ? `it overlaps ${hit.text} (${hit.reason}), which no client can reach` : null;
}

function parsed(text: string): Prefix {
  const range = parsePrefix(text);
  if ("problem" in range) throw new Error(range.problem);
  return range;
}
