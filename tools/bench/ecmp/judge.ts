import { type Result, result, wasMeasured } from "../result.ts";

/** What is timed; `fairlead-bench ecmp` prints one line per measurement; see the Go package ecmp. */
export type What =
  | "announced"
  | "withdrawn"
  | "written"
  | "killed"
  | "frozen"
  | "held"
  | "answered"
  | "probed"
  | "routed"
  | "asked"
  | "begun"
  | "joined";
export type Took = { subject: string; what: What; ms: number };
export type Count = { subject: string; what: "astray"; count: number };
type LeftOut = { subject: string; reason: string };
export type Measured = { took: Took[]; counts: Count[]; leftOut: LeftOut[] };

/** The Fairlead router, whose kernel must follow at once. */
export const held = "Fairlead";

/** parseLines parses the output. */
export function parseLines(text: string): Measured {
  const measured: Measured = { took: [], counts: [], leftOut: [] };
  for (const line of text.split("\n").filter(Boolean)) {
    const { took, count, leftOut } = JSON.parse(line) as { took?: Took; count?: Count; leftOut?: LeftOut };
    if (took) measured.took.push(took);
    else if (count) measured.counts.push(count);
    else if (leftOut) measured.leftOut.push(leftOut);
    else throw new Error(`Unknown line in the benchmark's output: ${line}`);
  }
  return measured;
}

/** Minimum number of measurements for valid percentiles. */
export type Least = { changes: number; kills: number; freezes: number; answers: number; newReplicas: number };

const titles: Record<What, string> = {
  announced: "announced → in the kernel",
  withdrawn: "withdrawn → out of the kernel",
  written: "config written → in or out of the kernel",
  killed: "speaker killed → out of the kernel",
  frozen: "speaker frozen, BFD 100 ms × 3 → out of the kernel",
  held: "speaker frozen, hold time 3 s → out of the kernel",
  answered: "backend ready → first request answered through its replica",
  probed: "… of it, backend ready → found by the speaker's probe",
  routed: "… of it, announced → in the kernel",
  asked: "… of it, in the kernel → answered",
  joined: "new replica ready → first request answered through it",
  begun: "new replica's processes started → first request answered through it",
};

/** Maximum milliseconds at a percentile, by router. */
const bars: Record<string, Partial<Record<What, { median?: number; p99: number }>>> = {
  [held]: {
    announced: { median: 5, p99: 25 },
    withdrawn: { median: 5, p99: 25 },
    killed: { p99: 50 },
    frozen: { p99: 500 },
    answered: { p99: 300 },
    joined: { p99: 300 },
  },
  FRR: { announced: { p99: 250 }, withdrawn: { p99: 250 } },
};

/**
 * A change that takes longer than this is late on any machine, however busy: it waited for a timer, such as the hold time
 * where BFD should have been first.
 */
const lateAfter = 1_500;
const atOnce: What[] = ["announced", "withdrawn", "killed", "frozen"];

/** judge compares the times of the kernels with the bars. */
export function judge({ took, counts }: Omit<Measured, "leftOut">, wanted: string[], least: Least): Result[] {
  return [
    ...wanted.flatMap((subject) => scale(subject, took, least)),
    ...[...Map.groupBy(took, (each) => each.subject)].flatMap(([subject, own]) => [
      ...times(subject, own),
      ...counts
        .filter((each) => each.subject === subject)
        .map(({ count }) =>
          result(
            subject,
            "next hop changes without a cause",
            "changes",
            [count],
            subject === held ? { at: "max", op: "==", value: 0 } : undefined,
          ),
        ),
      ...(subject === held ? [late(own)] : []),
    ]),
  ];
}

function late(own: Took[]): Result {
  const count = own.filter((each) => atOnce.includes(each.what) && each.ms > lateAfter).length;
  return result(held, `changes that took longer than ${lateAfter} ms`, "changes", [count], {
    at: "max",
    op: "==",
    value: 0,
  });
}

function times(subject: string, own: Took[]): Result[] {
  return (Object.keys(titles) as What[]).flatMap((what) => {
    const values = own.filter((each) => each.what === what).map((each) => each.ms);
    if (values.length === 0) return [];
    const bar = bars[subject]?.[what];
    const rows = [
      result(subject, titles[what], "ms", values, bar ? { at: "p99", op: "<=", value: bar.p99 } : undefined),
    ];
    if (bar?.median !== undefined)
      rows.push(result(subject, titles[what], "ms", values, { at: "median", op: "<=", value: bar.median }));
    return rows;
  });
}

/** scale checks that there were enough measurements: a subject without figures passes no bar. */
function scale(subject: string, took: Took[], least: Least): Result[] {
  const times = (...whats: What[]) =>
    took.filter((each) => each.subject === subject && whats.includes(each.what)).length;
  const enough = (name: string, count: number, least: number) => ({
    ...wasMeasured(subject, count, least),
    metric: `${name} that were measured`,
  });
  return [
    enough("changes", times("announced", "withdrawn"), least.changes),
    enough("kills", times("killed"), least.kills),
    enough("freezes", times("frozen"), least.freezes),
    ...(subject === held
      ? [
          enough("backends", times("answered"), least.answers),
          enough("new replicas", times("joined"), least.newReplicas),
        ]
      : []),
  ];
}

/** explain describes what the figures don't show. */
export function explain({ took, leftOut }: Measured): string[] {
  const isBeside = took.some((each) => each.subject === "FRR");
  return [
    "a change starts at the time that the speaker reports, and ends when the router's routes, read at the kernel's notification, have it; reading them takes a tenth of a millisecond or two",
    "three of four speakers announce and withdraw at random and the fourth stays; each has sessions with two reflectors, and so has the router",
    ...(took.some((each) => each.what === "answered")
      ? [
          "a backend is ready when the config with it is written; the speaker checks every 100 ms whether its balancer carries the service, which is nearly all of the time",
          "a new replica is ready when its balancer reports it and its speaker has a session; gobgp waits for 1.5 to 2 s before its first connection, which is nearly all of the time from its start",
        ]
      : []),
    ...(isBeside ? ["FRR collects updates for 50 ms before it processes them, and zebra for another 10"] : []),
    ...leftOut.map(({ subject, reason }) => `${subject} was not measured: ${reason}`),
  ];
}

/** Published figures of other products. None measured exactly the same, so each names its metric. */
export const elsewhere: Result[] = [
  result("gobgp and zebra, as published", "mostly at most, a balancer's pod → the router's table", "ms", [6_000]),
  result("gobgp and zebra, as published", "at most, a balancer's pod → the router's table", "ms", [10_000]),
  result("PureLB, as published", "service created → its address announced", "ms", [675]),
];
