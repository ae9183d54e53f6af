import { describe, expect, it } from "vitest";
import { describeSize } from "./describe-size.ts";

describe("the size of a prefix", () => {
  it.each([
    ["192.0.2.0/24", "254 addresses, 192.0.2.1 to 192.0.2.254."],
    [" 192.0.2.8/32 ", "One address, 192.0.2.8."],
    ["2001:db8::/64", "2^64 addresses, 2001:db8::1 to 2001:db8::ffff:ffff:ffff:ffff."],
    ["192.0.2.7/24", null],
    ["192.0.2.0", null],
    ["", null],
  ])("of %j", (text, want) => {
    expect(describeSize(text)).toBe(want);
  });
});
