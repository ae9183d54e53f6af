import { expect, it } from "vitest";
import type { Applied, Turn } from "../datapath/compare.ts";
import { judge } from "./judge.ts";

const grows = (seconds: number, fields: Partial<Applied> = {}): Applied => ({
  subject: "tcx direct",
  what: "grows",
  loaded: false,
  changes: 11_000,
  seconds,
  cpuSeconds: seconds,
  memoryBytes: 64 * 2 ** 20,
  kernelBytes: 2 ** 20,
  ...fields,
});
const turn = { subject: "tcx direct", workload: "udp", failed: 0, lost: 0 } as Turn;

it("holds the time to apply and the losses against their bars", () => {
  const bars = (applied: Applied[], turns: Turn[]) =>
    judge({ applied, turns })
      .filter((each) => each.bar)
      .map((each) => [each.unit, each.holds]);
  expect(bars([grows(0.9)], [turn])).toEqual([
    ["s", true],
    ["failures", true],
  ]);
  expect(bars([grows(1.1), grows(5, { loaded: true })], [{ ...turn, lost: 1 }])).toEqual([
    ["s", false],
    ["failures", false],
  ]);
  expect(bars([], [{ ...turn, workload: "small", lost: 3, failed: 1 }])).toEqual([["failures", false]]);
});

it("states the memory with all backends, and not with few", () => {
  const results = judge({ applied: [grows(1), grows(1, { what: "shrinks", memoryBytes: 1 })], turns: [] });
  expect(results.filter((each) => each.unit === "MiB").map((each) => each.max)).toEqual([64, 1]);
});
