import { addressToNumber, numberToAddress } from "../address/address.ts";
import { addressBits, type Family, familyOf } from "../address/family.ts";

type Owned = { value: bigint; nodeId: string };

/** Of a node, with the number of known addresses in it. */
type ClientPrefix = { nodeId: string; prefix: string; count: number };

/** The limit of prefixes of all nodes together. An agent exchanges nothing with nodes beyond it. */
export const mostClientPrefixes = 4_096;

/**
 * planClientPrefixes returns the smallest prefixes that cover the known addresses of each node, and none of another node.
 * Where nodes have networks of their own for pods, as in most clusters, a node has one for these, which changes with few new
 * pods. An address that several nodes have belongs to none. Above the limit, those with the fewest addresses are left out.
 */
export function planClientPrefixes(
  addresses: ReadonlyMap<string, readonly string[]>,
  most = mostClientPrefixes,
): Map<string, string[]> {
  const all = ([4, 6] as const).flatMap((family) => cover(sortedOf(addresses, family), family));
  const kept = all.length > most ? all.toSorted((a, b) => b.count - a.count).slice(0, most) : all;
  const of = Map.groupBy(kept, (each) => each.nodeId);
  return new Map([...of].map(([nodeId, own]) => [nodeId, own.map((each) => each.prefix)]));
}

function sortedOf(addresses: ReadonlyMap<string, readonly string[]>, family: Family): Owned[] {
  const owners = new Map<bigint, string | null>();
  for (const [nodeId, own] of addresses)
    for (const address of own) {
      if (familyOf(address) !== family) continue;
      const value = addressToNumber(address, family);
      const isTaken = owners.has(value) && owners.get(value) !== nodeId;
      owners.set(value, isTaken ? null : nodeId);
    }
  return [...owners]
    .flatMap(([value, nodeId]) => (nodeId === null ? [] : [{ value, nodeId }]))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}

/** cover splits sorted addresses where the first and the last one differ, until each part belongs to one node. */
function cover(owned: readonly Owned[], family: Family): ClientPrefix[] {
  const [first, last] = [owned[0], owned.at(-1)];
  if (!first || !last) return [];
  const hostBits = bitsOf(first.value ^ last.value);
  if (owned.every((each) => each.nodeId === first.nodeId)) {
    const start = (first.value >> hostBits) << hostBits;
    const length = addressBits(family) - Number(hostBits);
    return [{ nodeId: first.nodeId, prefix: `${numberToAddress(start, family)}/${length}`, count: owned.length }];
  }
  const middle = (last.value >> (hostBits - 1n)) << (hostBits - 1n);
  const split = owned.findIndex((each) => each.value >= middle);
  return [...cover(owned.slice(0, split), family), ...cover(owned.slice(split), family)];
}

/** bitsOf is the number of bits without leading zeros. */
function bitsOf(value: bigint): bigint {
  return value === 0n ? 0n : BigInt(value.toString(2).length);
}
