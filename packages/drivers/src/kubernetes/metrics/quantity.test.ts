import { expect, it } from "vitest";
import { parseDurationMs, parseQuantity } from "./quantity.ts";

it.each([
  ["0", 0],
  ["2", 2],
  ["250m", 0.25],
  ["1843522n", 0.001843522],
  ["12u", 0.000012],
  ["1.5", 1.5],
  ["64Mi", 64 * 2 ** 20],
  ["1203412Ki", 1_203_412 * 1024],
  ["128974848", 128_974_848],
  ["129e6", 129e6],
  ["1.5Gi", 1.5 * 2 ** 30],
  ["3k", 3_000],
  [4, 4],
])("reads the quantity %s", (text, want) => {
  expect(parseQuantity(text)).toBeCloseTo(want, 12);
});

it.each(["", "m", "1x", "1 Mi", "Mi", "--1", "-1", "NaN", "toString", "1toString", null, undefined, Number.NaN, {}])(
  "rejects %s as a quantity",
  (text) => {
    expect(parseQuantity(text)).toBeNull();
  },
);

it.each([
  ["10.062s", 10_062],
  ["1m0s", 60_000],
  ["1h2m3.5s", 3_723_500],
  ["250ms", 250],
])("reads the duration %s", (text, want) => {
  expect(parseDurationMs(text)).toBeCloseTo(want, 6);
});

it.each(["", "10", "s", "10 s", "-5s", "10sx", null, 10])("rejects %s as a duration", (text) => {
  expect(parseDurationMs(text)).toBeNull();
});
