import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { interfacePattern, matchesInterfacePattern } from "./interface-pattern.ts";
import { nodeSettings, updateNode } from "./node.ts";

const table = path.resolve(import.meta.dirname, "../../../../agents/internal/node/testdata/interface-patterns.json");
const cases = JSON.parse(readFileSync(table, "utf8")) as { pattern: string; name: string; matches: boolean }[];

it("has the test cases of the agents", () => {
  expect(cases.length).toBeGreaterThan(10);
});

it.each(cases)("$pattern on $name: $matches", ({ pattern, name, matches }) => {
  expect(matchesInterfacePattern(pattern, name)).toBe(matches);
});

it.each(["lo", "veth*", "*", "eth0.100", "br-lan", "eth0:1", "wlp2s0_a", "eth0@if7", " lo "])(
  "accepts %o",
  (pattern) => {
    expect(interfacePattern.safeParse(pattern).success).toBe(true);
  },
);

it.each(["", "eth?", "eth[0-9]", "veth[", "a b", "lo,eth0", "a/b", "a\\b", "x".repeat(65)])(
  "rejects %o, which older agents interpret differently or which can't be an interface name",
  (pattern) => {
    expect(interfacePattern.safeParse(pattern).success).toBe(false);
  },
);

it("reports the path of the invalid setting", () => {
  const { error } = updateNode.safeParse({ settings: { excludedInterfaces: ["lo", "eth[0-9]"] } });
  expect(error?.issues.map((issue) => issue.path)).toEqual([["settings", "excludedInterfaces", 1]]);
});

it("still reads settings that were stored before", () => {
  expect(nodeSettings.parse({ excludedInterfaces: ["eth[0-9]"] }).excludedInterfaces).toEqual(["eth[0-9]"]);
});
