import { type Result, result, wasMeasured } from "../result.ts";

/** What `fairlead-bench bgp-scale` prints, one line per round; see the Go package bgpscale. */
export type Scaled = {
  round: number;
  speakers: number;
  prefixes: number;
  loadSeconds: number;
  kernelSeconds: number;
  withdrawSeconds: number;
  idleBytes: number;
  reflectorBytes: number;
  routerBytes: number;
  reflectorMostBytes: number;
  routerMostBytes: number;
  reflectorCpuSeconds: { loading: number; withdrawing: number };
  routerCpuSeconds: { loading: number; withdrawing: number };
  asked: { role: string; phase: string; millis: number[]; failed: number; problem?: string }[];
};

const answersMsP99 = 200;

/** judge compares the query times with their bar; the rest are figures without bars. */
export function judge(scaled: readonly Scaled[], least: { rounds: number; answers: number }): Result[] {
  const [first] = scaled;
  if (!first) return [wasMeasured("routes", 0, least.rounds)];
  const what = `${first.speakers} × ${first.prefixes}`;
  const each = (metric: string, unit: string, of: (one: Scaled) => number) =>
    result(what, metric, unit, scaled.map(of));
  const queries = scaled.flatMap((one) => one.asked);
  const millis = queries.flatMap((one) => one.millis);
  return [
    wasMeasured(what, scaled.length, least.rounds),
    result(what, "answers while routes were added and removed", "answers", [millis.length], {
      at: "low",
      op: ">=",
      value: least.answers,
    }),
    result(what, "queries without an answer", "failures", [sum(queries.map((one) => one.failed))], {
      at: "max",
      op: "==",
      value: 0,
    }),
    ...[...Map.groupBy(queries, ({ role, phase }) => `an answer of the ${role} while ${phase}`)].map(([metric, own]) =>
      result(
        what,
        metric,
        "ms",
        own.flatMap((one) => one.millis),
        { at: "p99", op: "<=", value: answersMsP99 },
      ),
    ),
    each("first offer to all routes at the router", "s", (one) => one.loadSeconds),
    each("first offer to all in the router's kernel", "s", (one) => one.kernelSeconds),
    each("all speakers cut off to last route removed", "s", (one) => one.withdrawSeconds),
    each("processor time of the reflector, loading", "s", (one) => one.reflectorCpuSeconds.loading),
    each("processor time of the reflector, withdrawing", "s", (one) => one.reflectorCpuSeconds.withdrawing),
    each("processor time of the router, loading", "s", (one) => one.routerCpuSeconds.loading),
    each("processor time of the router, withdrawing", "s", (one) => one.routerCpuSeconds.withdrawing),
    each("memory of the reflector, before", "MB", (one) => one.idleBytes / 1e6),
    each("memory of the reflector, with all routes", "MB", (one) => one.reflectorBytes / 1e6),
    each("memory of the reflector, at most", "MB", (one) => one.reflectorMostBytes / 1e6),
    each("memory of the router, with all routes", "MB", (one) => one.routerBytes / 1e6),
    each("memory of the router, at most", "MB", (one) => one.routerMostBytes / 1e6),
  ];
}

/** explain describes what the figures don't show. */
export function explain(scaled: readonly Scaled[]): string[] {
  return [
    "all speakers are one process that only advertises routes; the speakers, the reflector and the router share this machine's processors, so times are upper bounds of each",
    "an answer is a page of routes, or the routes that cover an address, from the agent's own page; a query of the control plane reads the same, plus the round trip",
    "the kernel is read back once a second, so its time may be a second less",
    "the hold time is 90 s: while all speakers connect at once, one that waits for a processor must not time out",
    "in the first trials, 100 × 1000 routes took 10.6 s to a receiver without kernel routes, 6.5 s to withdraw and 227 to 251 MB, and queries were not answered within 1 s during that time",
    ...scaled.flatMap(({ round, asked: queries }) =>
      queries.flatMap(({ role, phase, problem }) =>
        problem ? [`round ${round + 1}, the ${role} while ${phase}: ${problem}`] : [],
      ),
    ),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
