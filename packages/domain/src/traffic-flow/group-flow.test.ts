import { expect, it } from "vitest";
import { type FlowPart, groupFlow } from "./group-flow.ts";

const part = (key: string, throughputBps: number | null, other: Partial<FlowPart> = {}): FlowPart => ({
  ...{ key, column: "backend", kind: "backend", id: null, name: key, throughputBps, dropsPerSecond: null, state: "up" },
  ...other,
});
const replica = part("r", 10, { column: "replica", kind: "replica" });

it("orders a column by name, with each place's share", () => {
  const { places } = groupFlow([part("b10", 1), part("b9", 3), part("b11", null, { state: "down" })], []);
  expect(places.map(({ name, share }) => [name, share])).toEqual([
    ["b9", 0.75],
    ["b10", 0.25],
    ["b11", null],
  ]);
});

it("has no shares while a part of the column isn't measured", () => {
  const { places } = groupFlow([part("a", 1), part("b", null)], []);
  expect(places.map(({ share }) => share)).toEqual([null, null]);
});

it("draws up to eight of a column", () => {
  const eight = Array.from({ length: 8 }, (_, i) => part(`b${i}`, i));
  expect(groupFlow(eight, []).places).toHaveLength(8);
});

it("keeps the largest and those with a problem, and merges the rest and its links", () => {
  const many = Array.from({ length: 12 }, (_, i) => part(`b${i}`, 12 - i, { dropsPerSecond: i === 11 ? 2 : null }));
  const backends = many.map((each, i) => (i === 10 ? { ...each, state: "down" as const } : each));
  const edges = backends.map(({ key, throughputBps }) => ({ from: "r", to: key, throughputBps }));
  const { places, links } = groupFlow([replica, ...backends], edges);
  const column = places.filter((each) => each.column === "backend");
  expect(column.map((each) => [each.name, each.size])).toEqual([
    ...["b0", "b1", "b2", "b3", "b4", "b5", "b10"].map((name) => [name, 1]),
    ["", 5],
  ]);
  expect(column.at(-1)).toMatchObject({ throughputBps: 6 + 5 + 4 + 3 + 1, dropsPerSecond: 2, state: "up", id: null });
  expect(links.filter((each) => each.to === "backend/rest")).toEqual([
    { from: "r", to: "backend/rest", throughputBps: 19 },
  ]);
  expect(links).toHaveLength(8);
});

it("doesn't add up a rest of which a part isn't measured", () => {
  const many = Array.from({ length: 12 }, (_, i) => part(`b${i}`, i === 0 ? null : 12 - i));
  expect(groupFlow(many, []).places.at(-1)).toMatchObject({ size: 5, throughputBps: null });
});

it("doesn't turn an unknown throughput into 0", () => {
  const { links } = groupFlow(
    [replica, part("a", null)],
    [
      { from: "r", to: "a", throughputBps: null },
      { from: "r", to: "gone", throughputBps: 1 },
    ],
  );
  expect(links).toEqual([{ from: "r", to: "a", throughputBps: null }]);
});
