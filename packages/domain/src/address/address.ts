import { z } from "zod";
import { invalid } from "../errors.ts";
import { addressBits, type Family, familyOf, isSix } from "./family.ts";

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();
/** ipAddress is an IPv4 or IPv6 address in the usual notation, without zone or port. */
export const ipAddress = z.union([ipv4, ipv6], "enter an IPv4 or IPv6 address");

export function isAddress(text: string): boolean {
  return ipAddress.safeParse(text).success;
}

/** subscriberOf identifies the subscriber behind an address: with IPv6, a subscriber has a whole /64. */
export function subscriberOf(address: string): string {
  return isSix(address) && ipv6.safeParse(address).success ? `${addressToNumber(address, 6) >> 64n}/64` : address;
}

export const port = z.int().min(1, "a port is between 1 and 65535").max(65_535, "a port is between 1 and 65535");

export type Prefix = { family: Family; first: bigint; last: bigint; length: number };

/** parsePrefix reads "10.0.0.0/24". The host bits must be zero: "10.0.0.7/24" is more likely a mistake. */
export function parsePrefix(text: string): Prefix | { problem: string } {
  const [address, lengthText, ...rest] = text.split("/");
  if (!address || !lengthText || rest.length > 0 || !/^\d{1,3}$/.test(lengthText))
    return { problem: "enter a prefix such as 192.0.2.0/24 or 2001:db8::/64" };
  const family = ipv4.safeParse(address).success ? 4 : ipv6.safeParse(address).success ? 6 : null;
  if (!family) return { problem: `${address} is not an IP address` };
  const bits = addressBits(family);
  const length = Number(lengthText);
  if (length > bits) return { problem: `the prefix length is between 0 and ${bits}` };
  const value = addressToNumber(address, family);
  const size = 1n << BigInt(bits - length);
  if (value % size !== 0n)
    return {
      problem: `${text} has host bits set; did you mean ${numberToAddress(value - (value % size), family)}/${length}?`,
    };
  return { family, first: value, last: value + size - 1n, length };
}

export function isPrefix(text: string): boolean {
  return !("problem" in parsePrefix(text));
}

/** prefixContains is false for an address of the other family. */
export function prefixContains({ family, first, last }: Prefix, address: string): boolean {
  if (family !== familyOf(address)) return false;
  const value = addressToNumber(address, family);
  return value >= first && value <= last;
}

/** canonicalPrefix is the form in which prefixes are stored and shown. */
export function canonicalPrefix(text: string): string {
  const parsed = parsePrefix(text);
  if ("problem" in parsed) throw invalid(["prefix"], parsed.problem);
  return `${numberToAddress(parsed.first, parsed.family)}/${parsed.length}`;
}

/** usableRange excludes the network and broadcast addresses of an IPv4 prefix, and the subnet-router address of an IPv6 prefix. */
export function usableRange(prefix: Prefix): { first: bigint; last: bigint } {
  const whole = prefix.first === prefix.last || prefix.last - prefix.first === 1n;
  if (whole) return prefix;
  return { first: prefix.first + 1n, last: prefix.family === 4 ? prefix.last - 1n : prefix.last };
}

/** addressCount is the number of addresses that can be allocated; a float, because an IPv6 prefix can exceed the integer range. */
export function addressCount(prefix: Prefix): number {
  const { first, last } = usableRange(prefix);
  return Number(last - first + 1n);
}

export function addressToNumber(address: string, family: Family): bigint {
  if (family === 4) return address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const dotted = address.lastIndexOf(":") < address.indexOf(".") ? address.slice(address.lastIndexOf(":") + 1) : "";
  const plain = dotted ? address.slice(0, -dotted.length) + ipv4Groups(dotted) : address;
  const [head = "", tail] = plain.split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function ipv4Groups(dotted: string): string {
  const value = addressToNumber(dotted, 4);
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

/** numberToAddress returns the canonical form (RFC 5952 for IPv6: the longest run of zeros becomes "::"). */
export function numberToAddress(value: bigint, family: Family): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(16 * (7 - i))) & 0xffffn));
  const { start, length } = longestZeroRun(groups);
  const hex = (part: number[]) => part.map((group) => group.toString(16)).join(":");
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** spellAddress returns the canonical form of a valid address, so that equal addresses are equal text. */
export function spellAddress(address: string): string {
  const family = familyOf(address);
  return numberToAddress(addressToNumber(address, family), family);
}

function longestZeroRun(groups: number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [i, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: i - length + 1, length };
  }
  return best;
}

/** What a pattern can state of a prefix; that the host bits are zero is checked by checkPrefix. */
const documented = {
  pattern: `${z.regexes.cidrv4.source}|${z.regexes.cidrv6.source}`,
  examples: ["192.0.2.0/24", "2001:db8::/64"],
};

export const prefix = z.string().superRefine(checkPrefix).meta(documented);

/** shortPrefix is a prefix to look up. Stored prefixes are shorter than this limit. */
export const shortPrefix = z.string().max(64).superRefine(checkPrefix).meta(documented);

function checkPrefix(text: string, ctx: z.RefinementCtx): void {
  const parsed = parsePrefix(text);
  if ("problem" in parsed) ctx.addIssue({ code: "custom", message: parsed.problem });
}

/** prefixOrAddress is the input of a lookup. */
export const prefixOrAddress = z.union([ipAddress, prefix], "enter an address or a prefix such as 192.0.2.0/24");
