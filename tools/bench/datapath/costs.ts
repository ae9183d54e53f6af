import { summarize } from "@fairlead/domain/benchmark";
import { type Result, result, wasMeasured } from "../result.ts";
import type { Loop } from "./loops.ts";
import type { Cost } from "./measured.ts";

type Limits = Record<string, number>;

/** Limits of a program's time per packet in traffic, in ns: as measured, and net of an empty program. */
const mostGross: Limits = { "xdp direct": 120, "tcx direct": 150 };
const mostNet: Limits = { "xdp direct": 110, "tcx direct": 160 };

/** Limits of a translation in a loop, in ns, net of an empty program. */
const mostInLoop: Limits = { "tcx nat out IPv4": 255, "tcx nat back IPv4": 225 };

/** A kernel rejects a program at a million. Other kernels need more for the same program than ours. */
const mostVerified: Limits = { "xdp direct": 33_250, "tcx direct": 151_500 };

/** hasBars reports whether a subject's program has bars in traffic. */
export function hasBars(subject: string): boolean {
  return subject in mostGross;
}

/** missingLoops are the loops with bars: without figures they pass none. */
export function missingLoops(loops: Loop[]): Result[] {
  return Object.keys(mostInLoop).map((subject) =>
    wasMeasured(`the loop of ${subject}`, loops.filter((loop) => loop.subject === subject).length),
  );
}

/** costResults reports each program's time in traffic, as measured and net of an empty program in the same turn. */
export function costResults(costs: Cost[]): Result[] {
  return [...Map.groupBy(costs, (cost) => cost.subject)].flatMap(([subject, own]) => {
    const gross = result(
      subject,
      "program per packet",
      "ns",
      own.map((cost) => cost.nanoseconds),
      atMost(mostGross[subject]),
    );
    const net = result(
      subject,
      "program per packet, net of an empty program",
      "ns",
      own.map(netOf),
      atMost(mostNet[subject]),
    );
    return [gross, net].map((cost) =>
      cost.holds === false ? { ...cost, limit: limitOfCost(costs, subject, gross.median) } : cost,
    );
  });
}

/** loopResults reports the same of a packet that the kernel runs again and again, without traffic. */
export function loopResults(loops: Loop[]): Result[] {
  return [...Map.groupBy(loops, (loop) => loop.subject)].flatMap(([subject, own]) => [
    result(
      subject,
      "program in a loop",
      "ns",
      own.map((loop) => loop.nanoseconds),
    ),
    result(subject, "program in a loop, net of an empty program", "ns", own.map(netOf), atMost(mostInLoop[subject])),
  ]);
}

/** verifiedResults reports how many instructions the kernel's verifier processed. */
export function verifiedResults(costs: Cost[]): Result[] {
  return [...Map.groupBy(costs, (cost) => cost.subject)].map(([subject, own]) => {
    const most = mostVerified[subject];
    const values = own.map((cost) => cost.verified);
    const bar = most ? ({ at: "max", op: "<=", value: most } as const) : undefined;
    return result(subject, "instructions that the verifier processed", "instructions", values, bar);
  });
}

function netOf({ nanoseconds, emptyNanoseconds }: { nanoseconds: number; emptyNanoseconds: number }): number {
  return nanoseconds - emptyNanoseconds;
}

function atMost(value: number | undefined) {
  return value ? ({ at: "median", op: "<=", value } as const) : undefined;
}

/** limitOfCost returns the cost of a forwarding program at the same hook, and the rest. */
function limitOfCost(costs: Cost[], subject: string, median: number): string {
  const hop = `${subject.split(" ")[0]} hop`;
  const bare = costs.filter((cost) => cost.subject === hop).map((cost) => cost.nanoseconds);
  if (bare.length === 0)
    return `${hop} was not measured beside ${subject}: without it the base cost of a program there is unknown`;
  const least = summarize(bare).median;
  return `${hop}, a stateless program that forwards every packet, takes ${least.toFixed(0)} ns of the ${median.toFixed(0)} of ${subject}; the other ${(median - least).toFixed(0)} are for the connection lookup, the backend and the counters`;
}
