import { type Result, result, wasMeasured } from "../result.ts";

type Tally = { all: number; own: number; moved: number; broken: number; strange: number };
type Kind = "drained" | "killed" | "cut off" | "added";

/** What `fairlead-bench ecmp-stability` prints, one per line; see the Go package stability. */
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

/** The subject that may break nothing when a replica drains or is added. */
const held = "Fairlead";

/** parseLines parses the output. */
export function parseLines(text: string): Measured {
  const measured: Measured = { changed: [], leftOut: [] };
  for (const line of text.split("\n").filter(Boolean)) {
    const { changed, leftOut } = JSON.parse(line) as { changed?: Changed; leftOut?: LeftOut };
    if (changed) measured.changed.push(changed);
    else if (leftOut) measured.leftOut.push(leftOut);
    else throw new Error(`Unknown line in the benchmark's output: ${line}`);
  }
  return measured;
}

/** The minimum for a zero to prove something: changes of Fairlead per kind of next hops, and connections in each. */
export type Least = { changes: number; nextHops: string[]; connections: number };

const none = { at: "max", op: "==", value: 0 } as const;

/** judge compares broken and moved flows with the bars, and lists those of peers. */
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

/** subjectOf names the kind of next hops and the balancer behind them. */
export function subjectOf({ nextHops, behind }: Changed): string {
  return `${nextHops}, ${behind}`;
}

/** brokenOf is how many connections and flows broke. */
export function brokenOf({ tcp, udp }: Changed): number {
  return tcp.broken + udp.broken;
}

/** kept checks Fairlead: nothing breaks when a replica drains or is added; if one dies, only its own connections do. */
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

/** still checks that resilient next hops move no other flows. */
function still(subject: string, own: Changed[]): Result {
  return result(subject, "moved although they need not", "flows", own.map(movedOf), none);
}

function movedOf({ tcp, udp }: Changed): number {
  return tcp.moved + udp.moved;
}

/** shares are percentages of all open flows. */
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

/** explain describes what the figures don't show. */
export function explain({ changed, leftOut }: Measured): string[] {
  return [
    "a flow is broken when its client reports it: reset, timed out, closed, or answered by another backend than at first; balancers that don't share connections may still choose the right backend for a moved one, at random",
    "resilient next hops give an added replica only flows that were idle for 30 s, and here there are none: it receives only new connections",
    ...changed
      .filter((each) => each.behind === held && brokenOf(each) > 0)
      .map(
        (each) =>
          `${subjectOf(each)}, round ${each.round + 1}, the ${each.which} replica ${each.kind}: broke ${each.tcp.broken} connections and ${each.udp.broken} flows, of which ${each.tcp.strange + each.udp.strange} weren't its own`,
      ),
    ...leftOut.map(({ subject, reason }) => `${subject} was not measured: ${reason}`),
  ];
}
