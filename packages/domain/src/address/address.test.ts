import { describe, expect, it } from "vitest";
import {
  addressCount,
  addressToNumber,
  canonicalPrefix,
  numberToAddress,
  type Prefix,
  parsePrefix,
  subscriberOf,
  usableRange,
} from "./address.ts";

function read(text: string): Prefix {
  const parsed = parsePrefix(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

describe("a prefix", () => {
  it.each([
    ["10.0.0.0/24", 4, "10.0.0.0", "10.0.0.255"],
    ["0.0.0.0/0", 4, "0.0.0.0", "255.255.255.255"],
    ["192.0.2.7/32", 4, "192.0.2.7", "192.0.2.7"],
    ["2001:db8::/64", 6, "2001:db8::", "2001:db8::ffff:ffff:ffff:ffff"],
    ["::/0", 6, "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["::1/128", 6, "::1", "::1"],
  ])("is parsed: %s", (text, family, first, last) => {
    const prefix = read(text);
    expect(prefix.family).toBe(family);
    expect([numberToAddress(prefix.first, prefix.family), numberToAddress(prefix.last, prefix.family)]).toEqual([
      first,
      last,
    ]);
  });

  it.each([
    ["10.0.0.0", "enter a prefix such as 192.0.2.0/24 or 2001:db8::/64"],
    ["/24", "enter a prefix such as 192.0.2.0/24 or 2001:db8::/64"],
    ["10.0.0.0/24/8", "enter a prefix such as 192.0.2.0/24 or 2001:db8::/64"],
    ["10.0.0.0/-1", "enter a prefix such as 192.0.2.0/24 or 2001:db8::/64"],
    ["10.0.0.0/2.5", "enter a prefix such as 192.0.2.0/24 or 2001:db8::/64"],
    ["", "enter a prefix such as 192.0.2.0/24 or 2001:db8::/64"],
    ["10.0.0/24", "10.0.0 is not an IP address"],
    ["10.0.0.256/32", "10.0.0.256 is not an IP address"],
    ["fe80::1%eth0/128", "fe80::1%eth0 is not an IP address"],
    ["10.0.0.0/33", "the prefix length is between 0 and 32"],
    ["2001:db8::/129", "the prefix length is between 0 and 128"],
    ["10.0.0.7/24", "10.0.0.7/24 has host bits set; did you mean 10.0.0.0/24?"],
    ["2001:db8::1/64", "2001:db8::1/64 has host bits set; did you mean 2001:db8::/64?"],
  ])("is rejected with the reason: %j", (text, problem) => {
    expect(parsePrefix(text)).toEqual({ problem });
  });

  it.each([
    ["2001:0DB8:0:0:0:0:0:0/032", "2001:db8::/32"],
    ["10.0.0.0/08", "10.0.0.0/8"],
  ])("has a canonical form: %s", (text, want) => {
    expect(canonicalPrefix(text)).toBe(want);
  });

  it.each([
    ["192.0.2.0/24", "192.0.2.1", "192.0.2.254", 254],
    ["192.0.2.0/30", "192.0.2.1", "192.0.2.2", 2],
    ["192.0.2.0/31", "192.0.2.0", "192.0.2.1", 2],
    ["192.0.2.0/32", "192.0.2.0", "192.0.2.0", 1],
    ["2001:db8::/126", "2001:db8::1", "2001:db8::3", 3],
    ["2001:db8::/127", "2001:db8::", "2001:db8::1", 2],
    ["2001:db8::/64", "2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", 2 ** 64],
  ])("has only usable host addresses: %s", (text, first, last, count) => {
    const prefix = read(text);
    const range = usableRange(prefix);
    expect([numberToAddress(range.first, prefix.family), numberToAddress(range.last, prefix.family)]).toEqual([
      first,
      last,
    ]);
    expect(addressCount(prefix)).toBe(count);
  });
});

describe("an IPv6 address is formatted by RFC 5952", () => {
  it.each([
    ["the longest run of zeros is shortened", "2001:db8:0:0:0:0:2:1", "2001:db8::2:1"],
    ["the first of two equal runs is shortened", "2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["a later, longer run is shortened", "2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
    ["a single zero is not shortened", "2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["letters are lower case, without leading zeros", "2001:0DB8:000A::00FF", "2001:db8:a::ff"],
    ["zeros at the end", "1:2:3:0:0:0:0:0", "1:2:3::"],
    ["zeros at the start", "0:0:0:0:0:6:7:8", "::6:7:8"],
    ["all zeros", "0:0:0:0:0:0:0:0", "::"],
    ["an address with an IPv4 suffix", "64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
    ["all ones", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("%s", (_, text, want) => {
    expect(numberToAddress(addressToNumber(text, 6), 6)).toBe(want);
  });

  it("round trip", () => {
    for (let i = 0n; i < 128n; i++) {
      const value = (1n << i) | (0xffn << ((i * 7n) % 120n));
      expect(addressToNumber(numberToAddress(value, 6), 6)).toBe(value);
    }
  });
});

it.each(["0.0.0.0", "10.1.2.3", "255.255.255.255"])("an IPv4 address is formatted as it was parsed: %s", (address) => {
  expect(numberToAddress(addressToNumber(address, 4), 4)).toBe(address);
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2::7", subscriberOf("2001:db8:1:2:ffff::1")],
  ["no address at all: no", "no address at all: no"],
])("the subscriber of %s is %s", (address, has) => {
  expect(subscriberOf(address)).toBe(has);
  expect(subscriberOf("2001:db8:1:3::7")).not.toBe(has);
});
