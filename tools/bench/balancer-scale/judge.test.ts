import { expect, it } from "vitest";
import type { Applied, LoadedTurn } from "../datapath/measured.ts";
import { judge } from "./judge.ts";

const grows = (seconds: number, fields: Partial<Applied> = {}): Applied => ({
  subject: "tcx direct",
  what: "grows",
  loaded: false,
  flows: 4_000_000,
  changes: 11_000,
  seconds,
  cpuSeconds: seconds,
  memoryBytes: 64 * 2 ** 20,
  kernelBytes: 2 ** 20,
  ...fields,
});
const turn = (workload: LoadedTurn["workload"], fields: Partial<LoadedTurn> = {}): LoadedTurn => ({
  subject: "tcx direct",
  workload,
  requests: 1000,
  failed: 0,
  lost: 0,
  late: 0,
  resent: 0,
  resentFirst: 0,
  resentEarly: 0,
  resentRepaired: 0,
  held: workload === "new" ? 40 : 0,
  ...fields,
});
const whole = [turn("udp"), turn("small"), turn("new")];
const bars = (applied: Applied[], loaded: LoadedTurn[]) =>
  judge({ applied, loaded })
    .filter((each) => each.bar)
    .map((each) => [each.unit, each.holds]);
const missed = (applied: Applied[], loaded: LoadedTurn[]) =>
  judge({ applied, loaded })
    .filter((each) => each.holds === false)
    .map((each) => each.metric.replace(" while applying repeatedly", ""));

it("compares the time to apply and the losses with their bars", () => {
  expect(bars([grows(0.5)], whole).map(([, holds]) => holds)).toEqual(Array(11).fill(true));
  expect(missed([grows(0.7), grows(5, { loaded: true })], whole)).toEqual([
    "from 1 service to 1 000 with 10 000 backends",
  ]);
  expect(missed([grows(0.5)], [turn("udp", { lost: 1 }), turn("small", { lost: 3, failed: 1 }), turn("new")])).toEqual([
    "datagrams lost",
    "persistent connections: requests failed",
  ]);
});

it("counts resent first packets and lost segments, and requires that some packets waited", () => {
  expect(missed([grows(0.5)], [turn("udp"), turn("small"), turn("new", { resent: 2, resentFirst: 1 })])).toEqual([
    "short connections: first packets resent",
    "short connections: segments lost",
  ]);
  expect(missed([grows(0.5)], [turn("udp"), turn("small", { resent: 1 }), turn("new", { held: 0 })])).toEqual([
    "persistent connections: segments lost",
    "first packets that waited for a replica",
  ]);
});

it("ignores tail loss probes, unless the segment was lost", () => {
  expect(missed([grows(0.5)], [turn("udp"), turn("small"), turn("new", { resent: 3, resentEarly: 3 })])).toEqual([]);
  const repaired = { resent: 3, resentEarly: 3, resentRepaired: 1 };
  expect(missed([grows(0.5)], [turn("udp"), turn("small"), turn("new", repaired)])).toEqual([
    "short connections: segments lost",
  ]);
});

it("allows every engine 40 ms for one backend, and 0.6 s for all", () => {
  const xdp = { subject: "xdp direct" };
  expect(
    missed(
      [grows(0.5), grows(0.61, xdp), grows(0.041, { ...xdp, what: "changes" }), grows(5, { ...xdp, loaded: true })],
      whole,
    ),
  ).toEqual(["from 1 service to 1 000 with 10 000 backends", "one of 10 000 backends goes down"]);
});

it("misses its bars when the required engine was skipped, or never loaded", () => {
  const other = { subject: "userspace proxy" };
  const required = bars([grows(0.9, other)], [turn("udp", other)]).filter(([unit]) => unit === "times");
  expect(required.map(([, holds]) => holds)).toEqual([false, false]);
  expect(bars([grows(0.5)], whole.slice(1))[1]).toEqual(["times", false]);
});

it("reports the memory with all backends, and not with few", () => {
  const results = judge({ applied: [grows(1), grows(1, { what: "shrinks", memoryBytes: 1 })], loaded: [] });
  expect(results.filter((each) => each.unit === "MiB").map((each) => each.max)).toEqual([64, 1]);
});
