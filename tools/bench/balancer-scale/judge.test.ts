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

const bars = (applied: Applied[], turns: Turn[]) =>
  judge({ applied, turns })
    .filter((each) => each.bar)
    .map((each) => [each.unit, each.holds]);
const udp = turn;
const small = { ...turn, workload: "small" } as Turn;

it("holds the time to apply and the losses against their bars", () => {
  expect(bars([grows(0.9)], [udp, small])).toEqual([
    ["times", true],
    ["times", true],
    ["s", true],
    ["failures", true],
    ["failures", true],
  ]);
  const missed = (applied: Applied[], turns: Turn[]) =>
    bars(applied, turns).flatMap(([unit, holds]) => (holds ? [] : [unit]));
  expect(missed([grows(1.1), grows(5, { loaded: true })], [{ ...udp, lost: 1 }, small])).toEqual(["s", "failures"]);
  expect(missed([grows(0.9)], [udp, { ...small, lost: 3, failed: 1 }])).toEqual(["failures"]);
});

it("misses its bars when the engine that they are about was left out, or never loaded", () => {
  const other = { subject: "userspace proxy" };
  const asked = bars([grows(0.9, other)], [{ ...udp, ...other }]).filter(([unit]) => unit === "times");
  expect(asked.map(([, holds]) => holds)).toEqual([false, false]);
  expect(bars([grows(0.9)], [udp])[1]).toEqual(["times", false]);
});

it("states the memory with all backends, and not with few", () => {
  const results = judge({ applied: [grows(1), grows(1, { what: "shrinks", memoryBytes: 1 })], turns: [] });
  expect(results.filter((each) => each.unit === "MiB").map((each) => each.max)).toEqual([64, 1]);
});
