import type { AddressMapEntry } from "@fairlead/domain/address-map";
import { describe, expect, it } from "vitest";
import { layMap, maxDrawn, shorten } from "./lay-map.ts";

const entry = (n: number, change: Partial<AddressMapEntry> = {}): AddressMapEntry => ({
  instance: `redis-${n}`,
  pod: `redis-${n}`,
  node: `node-${n % 2}`,
  internalAddress: `10.0.0.${n}`,
  externalAddress: `192.0.2.${n}`,
  ports: [],
  ready: true,
  since: new Date(0),
  generation: 1,
  ...change,
});
const many = (count: number, change: (n: number) => Partial<AddressMapEntry> = () => ({})) =>
  Array.from({ length: count }, (_, n) => entry(n, change(n)));

it.each([
  ["redis-0", "redis-0"],
  ["198.51.175.219", "198.51.175.219"],
  ["255.255.255.255", "255.255.255.255"],
  ["cache-grpc-13-0", "cache-grpc-13-0"],
  ["orders-cache-grpc-13-0", "orders-…pc-13-0"],
])("keeps both ends of a name: %s", (name, want) => {
  expect(shorten(name)).toBe(want);
});

describe("the map layout", () => {
  it("leads from addresses over instances to nodes", () => {
    const { titles, rows, spots, lines, leftOut } = layMap(many(3));
    expect([titles, rows, leftOut]).toEqual([["External addresses", "Instances", "Nodes"], 3, 0]);
    expect(spots.map(({ key, x, y }) => [key, Math.round(x), Math.round(y)])).toEqual([
      ["address 192.0.2.0", 17, 17],
      ["address 192.0.2.1", 17, 50],
      ["address 192.0.2.2", 17, 83],
      ["instance redis-0", 50, 17],
      ["instance redis-1", 50, 50],
      ["instance redis-2", 50, 83],
      ["node node-0", 83, 25],
      ["node node-1", 83, 75],
    ]);
    expect(lines.map(({ from, to }) => `${from.name} → ${to.name}`)).toEqual([
      "192.0.2.0 → redis-0",
      "redis-0 → node-0",
      "192.0.2.1 → redis-1",
      "redis-1 → node-1",
      "192.0.2.2 → redis-2",
      "redis-2 → node-0",
    ]);
  });

  it("draws a shared address once, and a second family next to it", () => {
    const shared = many(2, () => ({ externalAddress: "192.0.2.7" }));
    const { spots, lines } = layMap([
      ...shared,
      entry(1, { internalAddress: "2001:db8::1", externalAddress: "2001:db8:1::1" }),
    ]);
    expect(spots.filter((each) => each.column === "address").map((each) => each.name)).toEqual([
      "192.0.2.7",
      "2001:db8:1::1",
    ]);
    expect(lines).toHaveLength(5);
  });

  it("omits an empty column", () => {
    expect(layMap(many(2, () => ({ node: null }))).titles).toEqual(["External addresses", "Instances"]);
    expect(layMap([])).toEqual({ titles: [], rows: 0, spots: [], lines: [], leftOut: 0 });
  });

  it("marks instances that are not ready, and addresses without a ready instance", () => {
    const entries = [
      entry(0, { ready: false }),
      entry(1, { externalAddress: "192.0.2.0" }),
      entry(2, { ready: false }),
    ];
    const { spots, lines } = layMap(entries);
    expect(spots.filter((each) => !each.isReady).map((each) => each.key)).toEqual([
      "address 192.0.2.2",
      "instance redis-0",
      "instance redis-2",
      "node node-0",
    ]);
    expect(lines.filter((each) => !each.isReady)).toHaveLength(4);
  });

  it("prefers instances that are not ready if there are too many, and counts the omitted ones", () => {
    const { spots, leftOut } = layMap(many(40, (n) => ({ ready: n !== 33 })));
    const instances = spots.filter((each) => each.column === "instance").map((each) => each.name);
    expect([instances.length, leftOut]).toEqual([maxDrawn, 40 - maxDrawn]);
    expect(instances.at(-1)).toBe("redis-33");
  });
});
