import { ratiosWithin } from "../datapath/compare.ts";
import type { Cost } from "../datapath/measured.ts";
import { explainSpent } from "../datapath/spent.ts";
import { type Result, required, result, wasMeasured } from "../result.ts";
import { explainData, judgeData } from "./data.ts";
import { explainFloods, judgeFloods } from "./flood.ts";
import type { Least, Measured, Turn, Workload } from "./measured.ts";
import { workloads } from "./measured.ts";
import { judgeNames } from "./names.ts";
import { explainReturned, judgeReturns } from "./returns.ts";
import { ours, plain } from "./subjects.ts";

const direct = "direct";
const haproxy = "HAProxy tcp";
const layer7 = ["HAProxy TLS with cookies", "nginx TLS with cookies"];

/** Subjects that must be measured for the bars, unless only others are selected. */
const mustBeMeasured = [direct, ours, plain, haproxy, ...layer7];

/** The ratios of rates that ours must reach. */
const reaches: { workload: Workload; to: string; value: number }[] = [
  { workload: "small", to: haproxy, value: 1.45 },
  { workload: "small", to: direct, value: 0.7 },
  { workload: "return", to: haproxy, value: 1.4 },
  { workload: "sequence", to: direct, value: 0.95 },
];

/** The shares of the CPU time that another subject adds to a small request, which ours may add. */
const adds = [{ of: haproxy, value: 0.36 }, ...layer7.map((of) => ({ of, value: 0.3 }))];

/** Subjects that must use the machine for small requests: with more idle processors, the client was the limit. */
const saturating = [direct, ours, haproxy];
const mostIdle = 10;

/** How much longer than the plain engine's our program may take for a packet after the hello. */
const mostPerPacket = 1.1;

/** judge compares ours with its bars. Each ratio is of two turns of the same round. */
export function judge(measured: Measured, least: Least, chosen?: string[]): Result[] {
  const { turns, costs } = measured;
  const wanted = mustBeMeasured.filter((subject) => !chosen || subject === direct || chosen.includes(subject));
  return [
    ...(least.rounds > 0 ? wanted.map((subject) => wasMeasured(subject, roundsOf(turns, subject), least.rounds)) : []),
    ...judgeReturns(measured.returned, least),
    ...judgeFloods(measured.flooded, least.flood),
    ...judgeNames(measured.renamed, least.names),
    ...judgeData(measured.data, least.dataRounds, chosen),
    ...rates(turns),
    ...added(turns),
    ...perPacket(costs),
    ...failed(turns),
    ...persistence(turns),
    ...plainFigures(turns),
  ];
}

function roundsOf(turns: Turn[], subject: string): number {
  return new Set(turns.filter((turn) => turn.subject === subject).map((turn) => turn.round)).size;
}

function rates(turns: Turn[]): Result[] {
  const subjects = namesOf(turns);
  return workloadsOf(turns).flatMap((workload) =>
    [direct, haproxy].flatMap((to) =>
      subjects
        .filter((subject) => subject !== to)
        .flatMap((subject) => {
          const bar =
            subject === ours ? reaches.find((each) => each.workload === workload && each.to === to) : undefined;
          const values = ratiosWithin(turns, workload, subject, to);
          if (values.length === 0) return [];
          const ratio = result(
            subject,
            `${workloads[workload]}, of ${to}`,
            "ratio",
            values,
            bar && { at: "median", op: ">=", value: bar.value },
          );
          return [ratio.holds === false ? { ...ratio, limit: explainSpent(turns, workload, [ours, to]) } : ratio];
        }),
    ),
  );
}

/** microseconds returns the CPU time of the whole machine for a request, by round. */
function microseconds(turns: Turn[], workload: Workload, subject: string): Map<number, number> {
  return new Map(
    turns
      .filter((turn) => turn.workload === workload && turn.subject === subject)
      .map((turn) => [turn.round, (1e6 * (turn.processorSeconds - turn.idleCpuSeconds)) / turn.requests]),
  );
}

/** addedBy returns the CPU time that a subject adds to a request, compared to no balancer, by round. */
function addedBy(turns: Turn[], workload: Workload, subject: string): Map<number, number> {
  const base = microseconds(turns, workload, direct);
  return new Map(
    [...microseconds(turns, workload, subject)].flatMap(([round, all]): [number, number][] => {
      const without = base.get(round);
      return without === undefined ? [] : [[round, all - without]];
    }),
  );
}

function added(turns: Turn[]): Result[] {
  const own = addedBy(turns, "small", ours);
  const shares = adds.flatMap(({ of, value }) => {
    const values = [...addedBy(turns, "small", of)].flatMap(([round, other]) => {
      const mine = own.get(round);
      return mine === undefined || mine <= 0 || other <= 0 ? [] : [mine / other]; // below zero: something else ran
    });
    const rounds = Math.min(own.size, addedBy(turns, "small", of).size);
    if (rounds === 0) return [];
    return [
      result(ours, `rounds with CPU time to compare with ${of}`, "rounds", [values.length], {
        at: "low",
        op: ">=",
        value: Math.ceil(rounds / 2),
      }),
      ...all(ours, `CPU time added to a small request, of ${of}`, "ratio", values, { at: "median", op: "<=", value }),
    ];
  });
  const absolute = workloadsOf(turns).flatMap((workload) =>
    namesOf(turns)
      .filter((subject) => subject !== direct)
      .map((subject) =>
        all(subject, `CPU time added, ${workloads[workload]}`, "µs", [...addedBy(turns, workload, subject).values()]),
      ),
  );
  return [...shares, ...absolute.flat()];
}

function perPacket(costs: Cost[]): Result[] {
  const base = new Map(costs.filter((cost) => cost.subject === plain).map((cost) => [cost.round, cost.nanoseconds]));
  const ratios = costs.flatMap(({ subject, round, nanoseconds }) => {
    const other = base.get(round);
    return subject === ours && other ? [nanoseconds / other] : [];
  });
  return [
    ...all(ours, `program per packet after the hello, of ${plain}`, "ratio", ratios, {
      at: "median",
      op: "<=",
      value: mostPerPacket,
    }),
    ...[...Map.groupBy(costs, (cost) => cost.subject)].map(([subject, own]) =>
      result(
        subject,
        "program per packet after the hello",
        "ns",
        own.map((cost) => cost.nanoseconds),
      ),
    ),
  ];
}

function failed(turns: Turn[]): Result[] {
  return namesOf(turns).map((subject) =>
    required(
      result(
        subject,
        "requests that failed in a turn",
        "failures",
        turns.filter((turn) => turn.subject === subject).map((turn) => turn.failed),
        subject === ours ? { at: "max", op: "==", value: 0 } : undefined,
      ),
    ),
  );
}

/** persistence is of all returns of a subject: only ours has a bar. */
function persistence(turns: Turn[]): Result[] {
  return namesOf(turns)
    .filter((subject) => subject !== direct)
    .flatMap((subject) => {
      const own = turns.filter((turn) => turn.subject === subject && turn.returns);
      const shareOf = (part: (turn: Turn) => number) => own.map((turn) => (100 * part(turn)) / (turn.returns ?? 1));
      const lost = own.map((turn) => (turn.returns ?? 0) - (turn.sameBackend ?? 0));
      return [
        ...all(
          subject,
          "returns that resumed",
          "%",
          shareOf((turn) => turn.resumed ?? 0),
        ),
        ...all(
          subject,
          "returns that resumed at the same backend",
          "%",
          shareOf((turn) => turn.sameBackend ?? 0),
        ),
        ...(subject === ours
          ? all(subject, "returns that didn't resume at their backend", "failures", lost, {
              at: "max",
              op: "==",
              value: 0,
            }).map(required)
          : []),
      ];
    });
}

function plainFigures(turns: Turn[]): Result[] {
  return workloadsOf(turns).flatMap((workload) =>
    namesOf(turns).flatMap((subject) => {
      const own = turns.filter((turn) => turn.workload === workload && turn.subject === subject);
      const what = workload === "small" ? "requests/s" : "connections/s";
      return [
        ...(workload === "small"
          ? all(
              subject,
              `${workloads[workload]}, processors idle`,
              "%",
              own.map((turn) => (100 * turn.idleCpuSeconds) / turn.processorSeconds),
              saturating.includes(subject) ? { at: "median", op: "<=", value: mostIdle } : undefined,
            )
          : []),
        ...all(
          subject,
          workloads[workload],
          what,
          own.map((turn) => turn.requests / turn.seconds),
        ),
        ...all(
          subject,
          `${workloads[workload]}, p50`,
          "µs",
          own.map((turn) => turn.p50Microseconds),
        ),
        ...all(
          subject,
          `${workloads[workload]}, p99`,
          "µs",
          own.map((turn) => turn.p99Microseconds),
        ),
      ];
    }),
  );
}

function namesOf(turns: Turn[]): string[] {
  return [...new Set(turns.map((turn) => turn.subject))];
}

function workloadsOf(turns: Turn[]): Workload[] {
  return [...new Set(turns.map((turn) => turn.workload))];
}

/** all returns one figure, or none if nothing was measured. */
function all(...[subject, metric, unit, values, bar]: Parameters<typeof result>): Result[] {
  return values.length > 0 ? [result(subject, metric, unit, values, bar)] : [];
}

/** explain describes what the figures don't show. */
export function explain(measured: Measured, least: Least): string[] {
  const { turns, returned, flooded, data, leftOut } = measured;
  const failures = turns.filter((turn) => turn.failed > 0);
  return [
    ...(turns.length + data.length > 0
      ? [
          "client, balancers and servers share this machine's processors, and the client is as expensive in every turn: on a client of its own the ratios would be larger",
        ]
      : []),
    ...(turns.length > 0
      ? [
          explainSpent(turns, "small", namesOf(turns)),
          "CPU time added is that of the whole machine for a request, minus the same of direct in the same round, so it includes what the companions add at the servers",
          `the cost per packet includes the few packets until the hello; ${layer7.join(" and ")} reach the servers by plain HTTP, their best case`,
        ]
      : []),
    ...failures.map(
      ({ subject, round, workload, failed, because }) =>
        `${subject}, round ${round + 1}, ${workloads[workload]}: ${failed} requests failed, the first: ${because}`,
    ),
    ...returned.flatMap((each) => explainReturned(each)),
    ...explainFloods(flooded, least.flood),
    ...explainData(data),
    ...leftOut.map(({ subject, reason }) => `${subject} was not measured: ${reason}`),
  ].filter(Boolean);
}
