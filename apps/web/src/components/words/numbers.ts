import { lazily } from "./lazily.ts";

const counted = lazily(() => new Intl.NumberFormat("en-GB"));

export function count(value: number): string {
  return counted().format(value);
}

/** Formats a count with its noun: "1 node", "2 nodes". */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}

/** capacityOf formats the number of addresses in a pool. An IPv6 pool has too many to write out. */
export function capacityOf(addresses: number): string {
  if (addresses < 10_000_000) return count(addresses);
  return `2^${Math.round(Math.log2(addresses))}`;
}
