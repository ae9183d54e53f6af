import { expect, it } from "vitest";
import { axisFormatter, formatQuantity, type Unit } from "./quantity.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

it.each<[number | null, Unit, string]>([
  [0.1234, "ratio", "12.3 %"],
  [0, "ratio", "0 %"],
  [1, "ratio", "100 %"],
  [0.00002, "ratio", "< 0.01 %"],
  [512, "bytes", "512 B"],
  [1536, "bytes", "1.50 KiB"],
  [8.2 * 1024 ** 3, "bytes", "8.20 GiB"],
  [1023.9, "bytes", "1.00 KiB"],
  [999, "bps", "999 bit/s"],
  [1_250_000_000, "bps", "1.25 Gbit/s"],
  [12_345, "pps", "12.3 kpkt/s"],
  [0.4, "perSecond", "0.40 /s"],
  [2.5, "count", "2.50"],
  [12_300, "count", "12.3k"],
  [0.25, "ms", "250 µs"],
  [0, "ms", "0 ms"],
  [1_500, "ms", "1.50 s"],
  [null, "bps", "–"],
  [Number.NaN, "bps", "–"],
])("writes %s %s as %s", (value, unit, want) => {
  expect(plain(formatQuantity(value, unit))).toBe(want);
});

it.each<[number[], Unit, string[]]>([
  [[0, 0.25, 0.5, 0.75, 1], "ratio", ["0", "25 %", "50 %", "75 %", "100 %"]],
  [[0, 0.002, 0.004], "ratio", ["0", "0.2 %", "0.4 %"]],
  [[0, 500_000, 1_000_000], "bps", ["0", "0.5 Mbit/s", "1.0 Mbit/s"]],
  [[0, 1024 ** 3, 2 * 1024 ** 3], "bytes", ["0", "1 GiB", "2 GiB"]],
  [[0, 0.5, 1], "count", ["0", "0.5", "1.0"]],
  [[0, 2.5, 5], "ms", ["0", "2.5 ms", "5.0 ms"]],
])("writes the ticks %s %s in one scale", (ticks, unit, want) => {
  expect(ticks.map(axisFormatter(ticks, unit)).map(plain)).toEqual(want);
});
