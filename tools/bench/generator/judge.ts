import { type Result, result, wasMeasured } from "../result.ts";

/** What `fairlead-bench generator` prints, one per line; see the Go type GeneratorLine. */
export type Step = {
  kind: string;
  half: boolean;
  rate: number;
  duePerSecond: number;
  sentPerSecond: number;
  latenessP99Ms: number;
  latencyP50Ms: number;
  latencyP99Ms: number;
  resumed: number;
  failed: number;
  voidReasons: string[];
};
export type Stall = {
  round: number;
  stallMs: number;
  latencyP99Ms: number;
  latencyMaxMs: number;
  closedLoopP99Ms: number;
  closedLoopMaxMs: number;
  voidReasons: string[];
};
export type Measured = { steps: Step[]; stalls: Stall[] };

export const kinds = ["open connections", "returns that resume", "new users"];

const maxLatenessMs = 1;

/**
 * Minimum share of the stall that the p99 must show. The stall lasts a fifth of the time, so the p99 is 95 % of it: a
 * request was due at any moment of the stall, and waited for its end.
 */
const minStallShown = 0.9;

/** parseLines parses the output. */
export function parseLines(text: string): Measured {
  const measured: Measured = { steps: [], stalls: [] };
  for (const line of text.split("\n").filter(Boolean)) {
    const { step, stall } = JSON.parse(line) as { step?: Step; stall?: Stall };
    if (step) measured.steps.push(step);
    else if (stall) measured.stalls.push(stall);
    else throw new Error(`Unknown line in the benchmark's output: ${line}`);
  }
  return measured;
}

/** wasReached is the same condition as in the Go type GeneratorStep. */
export function wasReached({ voidReasons, failed, sentPerSecond, duePerSecond }: Step): boolean {
  return voidReasons.length === 0 && failed === 0 && sentPerSecond >= 0.99 * duePerSecond;
}

/** judge compares the generator's own delay at half its limit, and what it shows of a stalled server, with the bars. */
export function judge({ steps, stalls }: Measured, rounds: number): Result[] {
  return [...kinds.flatMap((kind) => judgeKind(kind, steps, rounds)), ...judgeStalls(stalls, rounds)];
}

function judgeKind(kind: string, all: Step[], rounds: number): Result[] {
  const steps = all.filter((step) => step.kind === kind);
  const half = steps.filter((step) => step.half);
  if (half.length === 0) return [wasMeasured(kind, 0, rounds)];
  const reached = steps.filter((step) => !step.half && wasReached(step));
  const of = (metric: string, unit: string, value: (step: Step) => number) =>
    result(kind, `${metric}, at half the limit`, unit, half.map(value));
  return [
    wasMeasured(kind, half.length, rounds),
    result(kind, "limit", "requests/s", [Math.max(0, ...reached.map((step) => step.rate))], {
      at: "low",
      op: ">=",
      value: 1,
    }),
    result(kind, "sent at the limit", "requests/s", [Math.max(0, ...reached.map((step) => step.sentPerSecond))]),
    result(
      kind,
      "lateness p99, at half the limit",
      "ms",
      half.map((step) => step.latenessP99Ms),
      { at: "max", op: "<=", value: maxLatenessMs },
    ),
    result(kind, "void or not reached, at half the limit", "runs", [half.filter((step) => !wasReached(step)).length], {
      at: "max",
      op: "==",
      value: 0,
    }),
    of("sent of what was due", "%", (step) => (100 * step.sentPerSecond) / step.duePerSecond),
    of("latency p50", "ms", (step) => step.latencyP50Ms),
    of("latency p99", "ms", (step) => step.latencyP99Ms),
  ];
}

function judgeStalls(stalls: Stall[], rounds: number): Result[] {
  const [first] = stalls;
  const subject = "stalled server";
  if (!first) return [wasMeasured(subject, 0, rounds)];
  const each = (metric: string, of: (stall: Stall) => number) => result(subject, metric, "ms", stalls.map(of));
  return [
    wasMeasured(subject, stalls.length, rounds),
    each("stall", (stall) => stall.stallMs),
    result(
      subject,
      "latency p99 from when due, of the stall",
      "ratio",
      stalls.map((stall) => stall.latencyP99Ms / stall.stallMs),
      { at: "low", op: ">=", value: minStallShown },
    ),
    each("latency p99 from when due", (stall) => stall.latencyP99Ms),
    each("latency max from when due", (stall) => stall.latencyMaxMs),
    each("latency p99 of a closed-loop client", (stall) => stall.closedLoopP99Ms),
    each("latency max of a closed-loop client", (stall) => stall.closedLoopMaxMs),
    result(subject, "void", "runs", [stalls.filter((stall) => stall.voidReasons.length > 0).length], {
      at: "max",
      op: "==",
      value: 0,
    }),
  ];
}

/** explain describes what ended the search for each limit, and what the figures don't show. */
export function explain({ steps, stalls }: Measured): string[] {
  const ends = kinds.flatMap((kind) => {
    const last = steps.findLast((step) => step.kind === kind && !step.half);
    if (!last || wasReached(last)) return [];
    const sent = `${Math.round(last.sentPerSecond)} of ${Math.round(last.duePerSecond)} requests/s were sent`;
    const why = last.voidReasons[0] ?? (last.failed > 0 ? `${last.failed} requests failed` : sent);
    return [`${kind}, at ${Math.round(last.rate)} requests/s: ${why}`];
  });
  return [
    "the server shares this machine's processors with the generator, so the limits are lower than with a machine of its own",
    "each limit is within a factor of 1.5: rates grow by this factor until one isn't reached",
    "a closed-loop client sends its next request after a reply, so a stall delays only one request of each connection",
    ...ends,
    ...stalls.flatMap(({ round, voidReasons }) =>
      voidReasons.map((reason) => `stalled server, round ${round + 1}: ${reason}`),
    ),
  ];
}
