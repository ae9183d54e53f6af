import { expect, it } from "vitest";
import { briefMoney, capacityOf, count, decimals, money, significant } from "./numbers.ts";

it("formats counts with grouped thousands", () => {
  expect([0, 999, 12_000].map(count)).toEqual(["0", "999", "12,000"]);
});

it("formats measured figures with a few digits", () => {
  expect([0.12345, 25, 123.4, 1_234.5, 98_765].map((value) => significant(value, 3))).toEqual([
    ...["0.123", "25", "123", "1,235", "98,765"],
  ]);
  expect([0.25, 9.96, 1_200.4].map((value) => decimals(value, 1))).toEqual(["0.3", "10", "1,200.4"]);
});

it("formats a large pool as a power of two", () => {
  expect([254, 65_536, 2 ** 64].map(capacityOf)).toEqual(["254", "65,536", "2^64"]);
});

it("formats sums of an axis briefly", () => {
  const sums = [0, 4_000, 20_000_000, 1_500_000_000];
  expect(sums.map((micros) => briefMoney(micros, "USD"))).toEqual(["$0", "$0.004", "$20", "$1.5K"]);
});

it("formats sums to the cent", () => {
  expect(money(1_234_560_000, "USD")).toBe("$1,234.56");
  expect(money(22_500, "EUR", 4)).toBe("€0.0225");
});
