import { type Result, result, wasMeasured } from "../result.ts";

type Tally = { all: number; own: number; moved: number; broken: number; strange: number };
type Kind = "drained" | "killed" | "cut off" | "added";

/** What `fairlead-bench ecmp-stability` prints, a line each; see the Go package stability. */
export type Changed = {
  round: number;
  nextHops: "plain" | "resilient";
  behind: string;
  kind: Kind;
  which: string;
  replicas: number;
  seconds: number;
  tcp: Tally;
  udp: Tally;
};
type LeftOut = { subject: string; reason: string };
export type Measured = { changed: Changed[]; leftOut: LeftOut[] };

/** Who may break nothing that was there when a replica leaves in good order, or comes. */
const held = "Fairlead";

/** parseLines reads all that was printed. */
export function parseLines(text: string): Measured {
  const measured: Measured = { changed: [], leftOut: [] };
  for (const line of text.split("\n").filter(Boolean)) {
    const { changed, leftOut } = JSON.parse(line) as { changed?: Changed; leftOut?: LeftOut };
    if (changed) measured.changed.push(changed);
    else if (leftOut) measured.leftOut.push(leftOut);
    else throw new Error(`A line of the benchmark is nothing that is known: ${line}`);
  }
  return measured;
}

/** What makes a zero mean something: changes of ours by each kind of next hops, and connections in each. */
export type Least = { changes: number; nextHops: string[]; connections: number };

const none = { at: "max", op: "==", value: 0 } as const;

/** judge holds what broke and what moved against the bars, and tells of the others beside. */
export function judge({ changed }: Pick<Measured, "changed">, least: Least): Result[] {
  const subjects = [...Map.groupBy(changed, subjectOf)];
  return [
    ...least.nextHops.map((nextHops) => {
      const whole = changed.filter(
        (each) => each.behind === held && each.nextHops === nextHops && each.tcp.all >= least.connections,
      );
      return wasMeasured(`${nextHops}, ${held}`, whole.length, least.changes);
    }),
    ...subjects.filter(([, [first]]) => first?.behind === held).flatMap(([subject, own]) => kept(subject, own)),
    ...subjects.filter(([, [first]]) => first?.nextHops === "resilient").map(([subject, own]) => still(subject, own)),
    ...subjects.flatMap(([subject, own]) =>
      [...Map.groupBy(own, (each) => each.kind)].flatMap(([kind, all]) => shares(subject, kind, all)),
    ),
  ];
}

/** subjectOf names who carried it: the kind of next hops, and who is behind them. */
export function subjectOf({ nextHops, behind }: Changed): string {
  return `${nextHops}, ${behind}`;
}

/** brokenOf is how many connections and flows broke. */
export function brokenOf({ tcp, udp }: Changed): number {
  return tcp.broken + udp.broken;
}

/** kept is of ours: nothing breaks when a replica drains or comes, and of one that dies its own alone. */
function kept(subject: string, own: Changed[]): Result[] {
  const isLost = ({ kind }: Changed) => kind === "killed" || kind === "cut off";
  const orderly = own.filter((each) => !isLost(each));
  const lost = own.filter(isLost);
  const strange = ({ tcp, udp }: Changed) => tcp.strange + udp.strange;
  const some = (metric: string, values: number[], bar?: typeof none) =>
    values.length > 0 ? [result(subject, metric, "failures", values, bar)] : [];
  return [
    ...some("broken, replica drained or added", orderly.map(brokenOf), none),
    ...some("broken of other replicas, one lost", lost.map(strange), none),
    ...some(
      "broken of the lost replica's own",
      lost.map((each) => brokenOf(each) - strange(each)),
    ),
  ];
}

/** still is of resilient next hops: they move nothing that need not. */
function still(subject: string, own: Changed[]): Result {
  return result(subject, "moved although they need not", "flows", own.map(movedOf), none);
}

function movedOf({ tcp, udp }: Changed): number {
  return tcp.moved + udp.moved;
}

/** shares are of all that was open, in percent. */
function shares(subject: string, kind: Kind, all: Changed[]): Result[] {
  const both = (of: (tally: Tally) => number) =>
    all.map(({ tcp, udp }) => percent(of(tcp) + of(udp), tcp.all + udp.all));
  const own = kind === "added" ? "taken over by it" : "its own, which have to move";
  return [
    result(
      subject,
      `${kind}: ${own}`,
      "%",
      both((tally) => tally.own),
    ),
    result(
      subject,
      `${kind}: moved although they need not`,
      "%",
      both((tally) => tally.moved),
    ),
    result(
      subject,
      `${kind}: TCP connections broken`,
      "%",
      all.map(({ tcp }) => percent(tcp.broken, tcp.all)),
    ),
    result(
      subject,
      `${kind}: UDP flows broken`,
      "%",
      all.map(({ udp }) => percent(udp.broken, udp.all)),
    ),
    result(
      subject,
      `${kind}: until the router's kernel has it`,
      "ms",
      all.map(({ seconds }) => seconds * 1000),
    ),
  ];
}

function percent(part: number, whole: number): number {
  return (100 * part) / Math.max(1, whole);
}

/** explain says in sentences what the figures don't. */
export function explain({ changed, leftOut }: Measured): string[] {
  return [
    "a flow is broken when its client says so: reset, silent, ended, or answered by another backend than its first; balancers that know nothing of each other's connections may pick the right backend for one that moved to them, by chance",
    "resilient next hops give a replica that comes only what has been silent for 30 s, and here nothing is: it takes over new connections alone",
    ...changed
      .filter((each) => each.behind === held && brokenOf(each) > 0)
      .map(
        (each) =>
          `${subjectOf(each)}, round ${each.round + 1}, the ${each.which} replica ${each.kind}: broke ${each.tcp.broken} connections and ${each.udp.broken} flows, of which ${each.tcp.strange + each.udp.strange} weren't its own`,
      ),
    ...leftOut.map(({ subject, reason }) => `${subject} wasn't measured: ${reason}`),
  ];
}
