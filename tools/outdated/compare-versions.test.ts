import { expect, it } from "vitest";
import { compareVersions } from "./compare-versions.ts";

it.each([
  ["1.7.10", "1.7.9", 1],
  ["1.7.6", "1.7.6", 0],
  ["v1.36.3", "v1.37.0", -1],
  ["1.27", "1.27.0", 0],
  ["2.0.0-rc.1", "2.0.0", -1],
  ["2.0.0-rc.10", "2.0.0-rc.9", 1],
  ["2.0.0-beta.1", "2.0.0-rc.1", -1],
  ["18.4.0-beta.17", "18.3.0", 1],
])("orders %s and %s", (a, b, order) => {
  expect(Math.sign(compareVersions(a, b))).toBe(order);
});
