import { type Result, result, wasMeasured } from "../result.ts";

/** What `fairlead-bench churn` prints, a line each; see the Go package churn. */
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

/** What may break nothing: our balancer with the engine that `auto` picks. */
export const held = "Fairlead";

/** parseLines reads all that was printed. */
export function parseLines(text: string): Measured {
  const measured: Measured = { churned: [], leftOut: [] };
  for (const line of text.split("\n").filter(Boolean)) {
    const { churned, leftOut } = JSON.parse(line) as { churned?: Churned; leftOut?: LeftOut };
    if (churned) measured.churned.push(churned);
    else if (leftOut) measured.leftOut.push(leftOut);
    else throw new Error(`A line of the benchmark is nothing that is known: ${line}`);
  }
  return measured;
}

/** What makes a zero mean something: rounds of ours, and connections in each. */
export type Least = { rounds: number; connections: number };

/** The part of connections that may never be made, in percent: those that met a replica on its way out. */
const mostFailed = 0.1;

/**
 * The part of connections that may wait in vain where packets get lost, in percent. Loss alone ends one when six tries
 * in a row get lost within the ten seconds that an answer may take, which with one percent on each of seven cables
 * happens to one request in ten million. Whom a balancer sends astray meets somebody who doesn't know it, and is reset.
 */
const mostTimedOut = 0.01;

/**
 * brokenOf is how many connections somebody broke: reset, ended before their time, moved or answered with rubbish. Where
 * nothing gets lost, also those whose packets went nowhere; where something does, they are counted apart.
 */
export function brokenOf(each: Churned): number {
  return each.broken - (each.loss ? timedOutOf(each) : 0);
}

function timedOutOf({ how }: Churned): number {
  return how?.["timed out"] ?? 0;
}

/** judge holds what broke against the bar, with what others break beside it. */
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

/** lossy is of rounds in which packets got lost: how many did, and which connections may have ended of that. */
function lossy(subject: string, all: Churned[]): Result[] {
  const own = all.filter((each) => each.loss);
  if (own.length === 0) return [];
  const isOurs = subject === held;
  return [
    result(
      subject,
      "frames that got lost",
      "frames",
      own.map((each) => each.lost ?? 0),
      isOurs ? { at: "low", op: ">=", value: 1 } : undefined,
    ),
    result(
      subject,
      "of all connections that waited in vain",
      "%",
      own.map((each) => percent(timedOutOf(each), each.connections)),
      isOurs ? { at: "max", op: "<=", value: mostTimedOut } : undefined,
    ),
  ];
}

/** scale says whether enough happened for the rest to mean something. */
function scale(subject: string, own: Churned[], least: number): Result[] {
  const enough = subject === held ? ({ at: "low", op: ">=", value: least } as const) : undefined;
  return [
    result(
      subject,
      "connections made meanwhile",
      "connections",
      own.map((each) => each.connections),
      enough,
    ),
    result(
      subject,
      "of all connections that were never made",
      "%",
      own.map((each) => percent(each.failed, each.connections + each.failed)),
      subject === held ? { at: "max", op: "<=", value: mostFailed } : undefined,
    ),
  ];
}

function percent(part: number, whole: number): number {
  return (100 * part) / Math.max(1, whole);
}

/** explain says in sentences what the figures don't. */
export function explain({ churned, leftOut }: Measured): string[] {
  const isLossy = churned.some((each) => each.loss);
  const broken = churned.filter((each) => each.kind !== "model" && each.broken > 0);
  return [
    "the published figures are of other traffic: which part breaks depends on how long connections live and how often something changes, so only figures of one table compare",
    isLossy
      ? "packets got lost on purpose: a connection that waited in vain for ten seconds is counted apart, whoever ended it"
      : "models are arithmetic on the same traffic and the same changes, without packets",
    "the router spreads all connections anew whenever a replica comes or goes, the hardest case; with resilient next hops only those of a replica that goes would move",
    ...broken.map(({ subject, round, how, breaks }) => {
      const ways = Object.entries(how ?? {}).map(([way, count]) => `${count} ${way}`);
      const [first] = breaks ?? [];
      const example = first ? `; the first that is kept: ${first.client} at ${first.at}, ${first.error}` : "";
      return `${subject}, round ${round + 1}, broke ${ways.join(", ")}${example}`;
    }),
    ...churned.flatMap(({ subject, round, failed, failedHow }) =>
      failedHow
        ? [`${subject}, round ${round + 1}, ${failed} connections were never made; the last error of ${failedHow}`]
        : [],
    ),
    ...leftOut.map(({ subject, reason }) => `${subject} wasn't measured: ${reason}`),
  ];
}

/** published figures of models that are not built yet, so that the table is whole. */
export const elsewhere: Result[] = [
  result("Beamer-like", "that broke, as published", "%", [0.049]),
  result("Cheetah", "that broke, as published", "%", [0]),
];
