import { expect, it } from "vitest";
import { familyOf, formatEndpoint, hostPrefix } from "./family.ts";

it.each([
  ["192.0.2.7", 4, "192.0.2.7/32", "192.0.2.7:443"],
  ["2001:db8::7", 6, "2001:db8::7/128", "[2001:db8::7]:443"],
] as const)("%s has a family, a host prefix and an endpoint with a port", (address, family, prefix, endpoint) => {
  expect(familyOf(address)).toBe(family);
  expect(hostPrefix(address)).toBe(prefix);
  expect(formatEndpoint(address, 443)).toBe(endpoint);
});
