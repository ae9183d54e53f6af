import { type Result, result, wasMeasured } from "../result.ts";

/** What `fairlead-bench churn` prints, one per line; see the Go package churn. */
export type Churned = {
  round: number;
  subject: string;
  kind: "ours" | "peer" | "model";
  connections: number;
  requests: number;
  broken: number;
  how?: Record<string, number>;
  failed: number;
  failedHow?: string;
  seconds: number;
  replicas: number[] | null;
  backends: number;
  published?: number;
  breaks?: { at: string; client: string; backend?: string; how: string; error: string }[];
  loss?: number;
  lost?: number;
};
type LeftOut = { subject: string; reason: string };
export type Measured = { churned: Churned[]; leftOut: LeftOut[] };

/** The subject that may break nothing: Fairlead with the engine that `auto` selects. */
export const held = "Fairlead";

/** parseLines parses the output. */
export function parseLines(text: string): Measured {
  const measured: Measured = { churned: [], leftOut: [] };
  for (const line of text.split("\n").filter(Boolean)) {
    const { churned, leftOut } = JSON.parse(line) as { churned?: Churned; leftOut?: LeftOut };
    if (churned) measured.churned.push(churned);
    else if (leftOut) measured.leftOut.push(leftOut);
    else throw new Error(`Unknown line in the benchmark's output: ${line}`);
  }
  return measured;
}

/** The minimum for a zero to prove something: rounds of Fairlead, and connections in each. */
export type Least = { rounds: number; connections: number };

/** Maximum share of failed connection attempts, in percent: those that reached a stopping replica. */
const maxFailedPercent = 0.1;

/**
 * Maximum share of connections that may time out under packet loss, in percent. Loss alone ends a connection when six tries
 * in a row are lost within the ten seconds that a reply may take: with one percent on each of seven cables, one request
 * in ten million. A connection that a balancer sends to the wrong backend is reset instead.
 */
const maxTimedOutPercent = 0.01;

/**
 * brokenOf returns how many connections were broken: reset, closed early, moved or answered with wrong data. Without loss,
 * timeouts count too; with loss, they are counted separately.
 */
export function brokenOf(each: Churned): number {
  return each.broken - (each.loss ? timedOutOf(each) : 0);
}

function timedOutOf({ how }: Churned): number {
  return how?.["timed out"] ?? 0;
}

/** judge compares the broken connections with the bar, and lists those of peers. */
export function judge({ churned }: Pick<Measured, "churned">, least: Least): Result[] {
  const subjects = [...Map.groupBy(churned, (each) => each.subject)];
  const whole = churned.filter((each) => each.subject === held && each.connections >= least.connections);
  return [
    ...(least.rounds > 0 ? [wasMeasured(held, whole.length, least.rounds)] : []),
    ...subjects.map(([subject, own]) =>
      result(
        subject,
        "established connections that broke",
        "failures",
        own.map(brokenOf),
        subject === held ? { at: "max", op: "==", value: 0 } : undefined,
      ),
    ),
    ...subjects.map(([subject, own]) =>
      result(
        subject,
        "of all connections that broke",
        "%",
        own.map((each) => percent(brokenOf(each), each.connections)),
      ),
    ),
    ...subjects.flatMap(([subject, own]) => published(subject, own)),
    ...subjects.flatMap(([subject, own]) => lossy(subject, own)),
    ...subjects
      .filter(([, own]) => own[0]?.kind !== "model")
      .flatMap(([subject, own]) => scale(subject, own, least.connections)),
  ];
}

function published(subject: string, own: Churned[]): Result[] {
  const values = own.flatMap((each) => (each.published === undefined ? [] : [each.published])).slice(0, 1);
  return values.length > 0 ? [result(subject, "that broke, as published", "%", values)] : [];
}

/** lossy returns, for rounds with packet loss, the lost frames and the connections that may have timed out because of it. */
function lossy(subject: string, all: Churned[]): Result[] {
  const own = all.filter((each) => each.loss);
  if (own.length === 0) return [];
  const isOurs = subject === held;
  return [
    result(
      subject,
      "frames lost",
      "frames",
      own.map((each) => each.lost ?? 0),
      isOurs ? { at: "low", op: ">=", value: 1 } : undefined,
    ),
    result(
      subject,
      "of all connections that timed out",
      "%",
      own.map((each) => percent(timedOutOf(each), each.connections)),
      isOurs ? { at: "max", op: "<=", value: maxTimedOutPercent } : undefined,
    ),
  ];
}

/** scale checks that there was enough traffic for the other figures to prove something. */
function scale(subject: string, own: Churned[], least: number): Result[] {
  const enough = subject === held ? ({ at: "low", op: ">=", value: least } as const) : undefined;
  return [
    result(
      subject,
      "connections opened meanwhile",
      "connections",
      own.map((each) => each.connections),
      enough,
    ),
    result(
      subject,
      "of all connections that were never established",
      "%",
      own.map((each) => percent(each.failed, each.connections + each.failed)),
      subject === held ? { at: "max", op: "<=", value: maxFailedPercent } : undefined,
    ),
  ];
}

function percent(part: number, whole: number): number {
  return (100 * part) / Math.max(1, whole);
}

/** explain describes what the figures don't show. */
export function explain({ churned, leftOut }: Measured): string[] {
  const isLossy = churned.some((each) => each.loss);
  const broken = churned.filter((each) => each.kind !== "model" && each.broken > 0);
  return [
    "the published figures are for other traffic: the share that breaks depends on the lifetime of connections and the rate of changes, so only figures of one table are comparable",
    isLossy
      ? "packets were lost on purpose: a connection that timed out after ten seconds is counted separately, whichever end closed it"
      : "models are calculated for the same traffic and the same changes, without packets",
    "the router redistributes all connections whenever a replica is added or removed, the hardest case; with resilient next hops only those of a removed replica would move",
    ...broken.map(({ subject, round, how, breaks }) => {
      const ways = Object.entries(how ?? {}).map(([way, count]) => `${count} ${way}`);
      const [first] = breaks ?? [];
      const example = first ? `; the first recorded one: ${first.client} at ${first.at}, ${first.error}` : "";
      return `${subject}, round ${round + 1}, broke ${ways.join(", ")}${example}`;
    }),
    ...churned.flatMap(({ subject, round, failed, failedHow }) =>
      failedHow
        ? [`${subject}, round ${round + 1}, ${failed} connections failed to connect; the last error of ${failedHow}`]
        : [],
    ),
    ...leftOut.map(({ subject, reason }) => `${subject} was not measured: ${reason}`),
  ];
}
