import { expect, it } from "vitest";
import { planClientPrefixes } from "./client-prefixes.ts";

it.each<[string, Record<string, string[]>, Record<string, string[]>]>([
  ["nothing", {}, {}],
  ["one address", { a: ["10.0.0.7"] }, { a: ["10.0.0.7/32"] }],
  ["one node", { a: ["10.0.0.1", "10.0.0.6"] }, { a: ["10.0.0.0/29"] }],
  [
    "a pod network for each node, and nodes on a shared one",
    {
      a: ["192.168.0.2", "10.244.1.2", "10.244.1.9"],
      b: ["192.168.0.3", "10.244.2.2", "10.244.2.3"],
    },
    { a: ["10.244.1.0/28", "192.168.0.2/32"], b: ["10.244.2.2/31", "192.168.0.3/32"] },
  ],
  [
    "pods of several nodes on one network",
    { a: ["10.0.0.1", "10.0.0.3"], b: ["10.0.0.2"] },
    { a: ["10.0.0.1/32", "10.0.0.3/32"], b: ["10.0.0.2/32"] },
  ],
  ["an address of two nodes", { a: ["10.0.0.1", "10.0.0.8"], b: ["10.0.0.8"] }, { a: ["10.0.0.1/32"] }],
  [
    "both families",
    { a: ["10.0.0.1", "fd00:1::1", "fd00:1::f"], b: ["fd00:2::1"] },
    { a: ["10.0.0.1/32", "fd00:1::/124"], b: ["fd00:2::1/128"] },
  ],
  ["the whole range", { a: ["0.0.0.1", "255.255.255.254"] }, { a: ["0.0.0.0/0"] }],
])("covers %s", (_, addresses, want) => {
  expect(Object.fromEntries(planClientPrefixes(new Map(Object.entries(addresses))))).toEqual(want);
});

it("leaves out the prefixes with the fewest addresses above the limit", () => {
  const addresses = new Map([
    ["a", ["10.0.0.1", "10.0.1.0", "10.0.1.1"]],
    ["b", ["10.0.0.2"]],
  ]);
  expect(Object.fromEntries(planClientPrefixes(addresses, 1))).toEqual({ a: ["10.0.1.0/31"] });
});
