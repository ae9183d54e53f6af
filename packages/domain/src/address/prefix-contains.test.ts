import { expect, it } from "vitest";
import { parsePrefix, prefixContains } from "./address.ts";

it.each([
  ["10.0.0.0/24", "10.0.0.0", true],
  ["10.0.0.0/24", "10.0.0.255", true],
  ["10.0.0.0/24", "10.0.1.0", false],
  ["10.0.0.0/24", "9.255.255.255", false],
  ["2001:db8::/64", "2001:db8::ffff:ffff:ffff:ffff", true],
  ["2001:db8::/64", "2001:db8:0:1::", false],
  ["::/0", "10.0.0.1", false],
  ["0.0.0.0/0", "::1", false],
])("%s contains %s: %s", (text, address, want) => {
  const prefix = parsePrefix(text);
  if ("problem" in prefix) throw new Error(prefix.problem);
  expect(prefixContains(prefix, address)).toBe(want);
});
