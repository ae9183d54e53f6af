import { expect, it } from "vitest";
import { costLines } from "./cost-lines.ts";

const item = (name: string, micros: number, quantity = 1) => ({ item: name, quantity, micros });

it("shows each part of a cost with its quantity", () => {
  expect(costLines([item("Machines c7g.large", 120_000, 1.5), item("Public IPv4 addresses", 5_000)])).toEqual([
    { label: "Machines c7g.large × 1.5", micros: 120_000 },
    { label: "Public IPv4 addresses", micros: 5_000 },
  ]);
});

it("has at most three lines, which add up to the whole", () => {
  const items = [item("a", 400), item("b", 300), item("c", 20), item("d", 1)];
  expect(costLines(items)).toEqual([
    { label: "a", micros: 400 },
    { label: "b", micros: 300 },
    { label: "2 other items", micros: 21 },
  ]);
  expect(costLines(items.slice(0, 3))).toHaveLength(3);
});
