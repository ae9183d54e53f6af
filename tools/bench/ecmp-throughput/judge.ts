import { summarize } from "@fairlead/domain/benchmark";
import { type Result, result, wasMeasured } from "../result.ts";

/** What `fairlead-bench ecmp-throughput` prints, one per line; see the Go package throughput. */
export type Carried = {
  round: number;
  /** Bandwidth of each replica's cable; 0 is unlimited. */
  mbps: number;
  replicas: number;
  connections: number;
  carried: number;
  idle: number;
  failed: number;
};
export type Followed = {
  replicas: number;
  before: number;
  levelMs?: number;
  carried: number;
  failed: number;
  because?: string;
};
export type Measured = { carried: Carried[]; followed: Followed[] };

/** parseLines parses the output. */
export function parseLines(text: string): Measured {
  const measured: Measured = { carried: [], followed: [] };
  for (const line of text.split("\n").filter(Boolean)) {
    const { carried, followed } = JSON.parse(line) as { carried?: Carried; followed?: Followed };
    if (carried) measured.carried.push(carried);
    else if (followed) measured.followed.push(followed);
    else throw new Error(`Unknown line in the benchmark's output: ${line}`);
  }
  return measured;
}

/** Minimum number of measurements. */
export type Least = { replicas: number; rounds: number; changes: number };

const most = "a client never stops uploading";

/** judge checks that throughput grows with the replicas, and follows changes of their number. */
export function judge({ carried, followed }: Measured, least: Least): Result[] {
  const bounded = carried.filter((each) => each.mbps > 0);
  const one = alone(bounded);
  const byMost = mostConnections(bounded);
  return [
    {
      ...wasMeasured("by BGP and ECMP", byMost.length, least.replicas * least.rounds),
      metric: "numbers of replicas that were measured",
    },
    { ...wasMeasured("by BGP and ECMP", followed.length, least.changes), metric: "changes that were measured" },
    ...[...Map.groupBy(carried, nameOf)].map(([name, own]) =>
      result(
        name,
        "carried",
        "Mbit/s",
        own.map((each) => each.carried),
      ),
    ),
    ...[...Map.groupBy(byMost, (each) => each.replicas)]
      .filter(([replicas]) => replicas > 1)
      .map(([replicas, own]) =>
        result(
          "bounded cables",
          `${replicas} replicas, of ${replicas} times what one carries`,
          "ratio",
          own.map((each) => each.carried / (replicas * one)),
          { at: "median", op: ">=", value: 0.95 },
        ),
      ),
    ...follow(followed, one),
    ...all(
      "all of it",
      "requests that failed",
      "failures",
      [...carried, ...followed].map((each) => each.failed),
      {
        at: "max",
        op: "==",
        value: 0,
      },
    ),
  ];
}

function follow(followed: Followed[], one: number): Result[] {
  const subject = "replica count at random";
  const came = (more: boolean) =>
    followed.flatMap((each) => (each.replicas > each.before === more && each.levelMs ? [each.levelMs] : []));
  return [
    ...all(
      subject,
      "carried, of what so many can",
      "ratio",
      followed.map((each) => each.carried / (each.replicas * one)),
      {
        at: "median",
        op: ">=",
        value: 0.9,
      },
    ),
    ...all(subject, "more replicas → full throughput", "ms", came(true)),
    ...all(subject, "fewer replicas → reduced throughput", "ms", came(false)),
  ];
}

/** all returns one figure, or none if nothing was measured. */
function all(...[subject, metric, unit, values, bar]: Parameters<typeof result>): Result[] {
  return values.length > 0 ? [result(subject, metric, unit, values, bar)] : [];
}

function mostConnections(carried: Carried[]): Carried[] {
  const connections = Math.max(...carried.map((each) => each.connections));
  return carried.filter((each) => each.connections === connections);
}

/** alone is what one replica carries. */
function alone(carried: Carried[]): number {
  const own = mostConnections(carried).filter((each) => each.replicas === 1);
  return own.length > 0 ? summarize(own.map((each) => each.carried)).median : Number.NaN;
}

function nameOf({ mbps, replicas, connections }: Carried): string {
  const cables = mbps > 0 ? `${mbps} Mbit/s each` : "no bound";
  return `${replicas} ${replicas === 1 ? "replica" : "replicas"}, ${cables}, ${connections} connections`;
}

/** explain describes what the figures don't show. */
export function explain({ carried, followed }: Measured): string[] {
  const free = mostConnections(carried.filter((each) => each.mbps === 0));
  const idle = free.length > 0 ? summarize(free.map((each) => 100 * each.idle)).median.toFixed(0) : "?";
  return [
    `${most}; throughput is what arrives at the backends' host, with headers and retransmissions`,
    `without a limit the number of replicas makes no difference: client, router, replicas and backends share this machine's processors, which have nothing to do for ${idle} % of the time`,
    "with a limit, each replica's cable is full, as a machine's would be in a data centre; eight connections don't always find four replicas, because a router spreads them by their hash",
    "a returning replica is a new process: its first session takes two seconds, and longer while the previous process still drains",
    ...followed.flatMap(({ before, replicas, failed, because }) =>
      failed > 0 ? [`${before} → ${replicas} replicas: of the requests failed ${failed}, the first: ${because}`] : [],
    ),
  ];
}
