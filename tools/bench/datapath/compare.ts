import { summarize } from "@fairlead/domain/benchmark";
import { type Result, result, wasMeasured } from "../result.ts";
import { costResults, hasBars, loopResults, missingLoops, verifiedResults } from "./costs.ts";
import type { Loop } from "./loops.ts";
import type { Cost, Measured, Memory, Turn, Workload } from "./measured.ts";
import { explainSpent } from "./spent.ts";

const names: Record<Workload, string> = {
  small: "small, kept alive",
  new: "a connection each",
  bulk: "64 KiB bodies",
  udp: "UDP",
};
const workloads = Object.keys(names) as Workload[];
const dnat = "nftables DNAT";
const haproxy = "HAProxy tcp";

type Reach = { workload: Workload; to: string; value: number };

/** The ratios that the best engine must reach, by the median of its rounds. */
const reaches: Reach[] = [
  { workload: "small", to: "direct", value: 0.75 },
  { workload: "new", to: "direct", value: 0.9 },
  { workload: "small", to: dnat, value: 1.25 },
  { workload: "small", to: haproxy, value: 1.7 },
];

/** Subjects that must be measured for the bars, unless only others are selected. */
const required = ["direct", "tcx direct", "xdp direct", dnat, haproxy];

/** compare calculates ratios, each from two turns of the same round. */
export function compare(
  { turns, costs, memories, loops }: Pick<Measured, "turns" | "costs" | "memories"> & { loops: Loop[] },
  chosen: string[] = required,
): Result[] {
  return [
    ...present(turns, costs, chosen),
    ...missingLoops(loops),
    ...reached(turns),
    ...failures(turns),
    ...lost(turns),
    ...costResults(costs),
    ...loopResults(loops),
    ...verifiedResults(costs),
    ...ratios(turns),
    ...plain(turns),
    ...memories.map(memoryOf),
  ];
}

/** ratiosWithin returns a subject's rate divided by another's, for each round that has both. */
export function ratiosWithin<Kind extends string>(
  turns: (Pick<Turn, "round" | "subject" | "requests" | "seconds"> & { workload: Kind })[],
  workload: Kind,
  subject: string,
  to: string,
): number[] {
  const rates = (of: string) =>
    new Map(
      turns
        .filter((turn) => turn.workload === workload && turn.subject === of)
        .map((turn) => [turn.round, turn.requests / turn.seconds]),
    );
  const others = rates(to);
  return [...rates(subject)].flatMap(([round, rate]) => {
    const other = others.get(round);
    return other ? [rate / other] : [];
  });
}

function present(turns: Turn[], costs: Cost[], chosen: string[]): Result[] {
  const times = (of: { subject: string }[], subject: string) => of.filter((each) => each.subject === subject).length;
  const wanted = required.filter((subject) => subject === "direct" || chosen.includes(subject));
  return [
    ...wanted.map((subject) => wasMeasured(subject, times(turns, subject))),
    ...wanted.filter(hasBars).map((subject) => wasMeasured(`the program of ${subject}`, times(costs, subject))),
  ];
}

/** reached compares the best engine with its bars; each bar has its own best engine. */
function reached(turns: Turn[]): Result[] {
  return reaches.flatMap(({ workload, to, value }) => {
    const bar = { at: "median", op: ">=", value } as const;
    return best(turns, "engine", workload, to).map(([engine, values]) => {
      const reached = result(`best engine, ${engine}`, `${names[workload]}, of ${to}`, "ratio", values, bar);
      return reached.holds ? reached : { ...reached, limit: limitOf(turns, workload, to, engine) };
    });
  });
}

/** best is the one with the highest ratio, if any was measured. */
function best(turns: Turn[], kind: Turn["kind"], workload: Workload, to: string): [string, number[]][] {
  const measured = subjects(turns, kind).map((of): [string, number[]] => [of, ratiosWithin(turns, workload, of, to)]);
  return measured
    .filter(([, values]) => values.length > 0)
    .sort(([, a], [, b]) => summarize(b).median - summarize(a).median)
    .slice(0, 1);
}

/** limitOf returns the limit of any extra hop in the packets' path, and the processor use. */
function limitOf(turns: Turn[], workload: Workload, to: string, engine: string): string {
  const [hop] = best(turns, "hop", workload, to);
  const most = hop
    ? `${hop[0]}, a stateless program that forwards every packet, reaches ${summarize(hop[1]).median.toFixed(2)}: the rest is the path through one more host; `
    : "";
  return `${most}${explainSpent(turns, workload, [engine, ...(hop ? [hop[0]] : []), to])}`;
}

/** Maximum extra loss of datagrams with an engine, in percentage points. */
const maxExtraLoss = 0.1;

/** lost compares each engine's loss with that of direct, over all rounds, because most rounds have no loss. */
function lost(turns: Turn[]): Result[] {
  const udp = turns.filter((turn) => turn.workload === "udp");
  const shareOf = (subject: string) => {
    const own = udp.filter((turn) => turn.subject === subject);
    const gone = own.reduce((sum, turn) => sum + turn.lost, 0);
    return (
      (100 * gone) /
      Math.max(
        1,
        own.reduce((sum, turn) => sum + turn.requests, gone),
      )
    );
  };
  if (subjects(udp, "direct").length === 0) return [];
  return subjects(udp).map((subject) =>
    result(
      subject,
      subject === "direct" ? "UDP, lost" : "UDP, lost more than by direct",
      "%",
      [subject === "direct" ? shareOf(subject) : shareOf(subject) - shareOf("direct")],
      subjects(udp, "engine").includes(subject) ? { at: "max", op: "<=", value: maxExtraLoss } : undefined,
    ),
  );
}

function failures(turns: Turn[]): Result[] {
  return subjects(turns).map((subject) => {
    const own = turns.filter((turn) => turn.subject === subject);
    const isOurs = own[0]?.kind === "engine";
    const values = own.map((turn) => turn.failed);
    return result(
      subject,
      "answers wrong, broken off or refused",
      "failures",
      values,
      isOurs ? { at: "max", op: "==", value: 0 } : undefined,
    );
  });
}

function ratios(turns: Turn[]): Result[] {
  return workloads.flatMap((workload) =>
    ["direct", ...subjects(turns, "hop"), dnat, haproxy].flatMap((to) =>
      subjects(turns)
        .filter((subject) => subject !== "direct" && subject !== to)
        .flatMap((subject) => {
          const values = ratiosWithin(turns, workload, subject, to);
          return values.length > 0 ? [result(subject, `${names[workload]}, of ${to}`, "ratio", values)] : [];
        }),
    ),
  );
}

function plain(turns: Turn[]): Result[] {
  return workloads.flatMap((workload) =>
    subjects(turns).flatMap((subject) => {
      const own = turns.filter((turn) => turn.workload === workload && turn.subject === subject);
      if (own.length === 0) return [];
      const figure = (metric: string, unit: string, of: (turn: Turn) => number) =>
        result(subject, `${names[workload]}, ${metric}`, unit, own.map(of));
      return [
        figure("rate", "1/s", (turn) => turn.requests / turn.seconds),
        ...(workload === "bulk" ? [figure("of bodies", "Mbit/s", bodiesOf)] : []),
        figure("p99", "µs", (turn) => turn.p99Microseconds),
        ...(workload === "udp" ? [figure("lost", "datagrams", (turn) => turn.lost)] : []),
      ];
    }),
  );
}

const bitsOfBody = 8 * 64 * 1_024;

function bodiesOf({ requests, seconds }: Turn): number {
  return (bitsOfBody * requests) / seconds / 1e6;
}

function memoryOf({ subject, connections, bytes }: Memory): Result {
  return result(subject, `memory for each of ${connections} live connections`, "kB", [bytes / connections / 1e3]);
}

function subjects(turns: Turn[], kind?: Turn["kind"]): string[] {
  return [...new Set(turns.filter((turn) => !kind || turn.kind === kind).map((turn) => turn.subject))].sort();
}

/** explain describes what the figures don't show. */
export function explain({ turns, costs, leftOut }: Pick<Measured, "turns" | "costs" | "leftOut">): string[] {
  const proxies = subjects(turns).flatMap((subject) => {
    const own = turns.filter((turn) => turn.workload === "small" && turn.subject === subject);
    const cpu = own.reduce((sum, turn) => sum + turn.balancerCpuSeconds, 0);
    const seconds = own.reduce((sum, turn) => sum + turn.seconds, 0);
    return cpu > 0 ? [`${subject} ${((100 * cpu) / seconds).toFixed(0)} %`] : [];
  });
  const direct = turns.filter((turn) => turn.workload === "small" && turn.kind === "direct");
  const client = direct.reduce((sum, turn) => sum + turn.clientCpuSeconds / turn.seconds, 0) / direct.length;
  return [
    "client, backends and balancer share the processors: a rate is the inverse of a request's total cost on all hosts",
    "with TLS, every handshake is full, with a 2048-bit RSA key, and the client uses a goroutine for each connection, which takes more CPU time",
    ...(direct.length > 0
      ? [`the client is one thread; with direct it used ${(100 * client).toFixed(0)} % of a core`]
      : []),
    ...(proxies.length > 0
      ? [`small, kept alive, of one core in the balancer's own processes: ${proxies.join(", ")}`]
      : []),
    ...(costs.length > 0
      ? [
          "the time of a program in traffic is elapsed time, so it includes interrupts and the cache misses that clients and backends cause; in a loop it has neither",
        ]
      : []),
    ...leftOut.map(({ subject, reason }) => `${subject} was not measured: ${reason}`),
  ];
}
