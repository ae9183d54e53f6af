import { type Result, required, result, wasMeasured } from "../result.ts";

/** Moved is one move under load. killed: the control plane was killed after each step. */
export type Moved = {
  killed: boolean;
  state: string;
  connections: number;
  broken: number;
  visits: number;
  failed: number;
  /** How far the measured shares of new connections were from the requested ones, per step. */
  steps: { share: number; measured: number; all: number }[];
};

/** RolledBack is a move whose target lost its backends. ms: from the gate that closed until the shares were as before. */
export type RolledBack = { state: string; ms: number; routedMs: number; failedAfter: number };

/** Least is how often each must have been measured, and with how many connections, for a zero to prove anything. */
export type Least = { moves: number; rollbacks: number; connections: number };

export function judge(moved: Moved[], rolledBack: RolledBack[], least: Least): Result[] {
  return [...Map.groupBy(moved, (each) => each.killed)]
    .flatMap(([killed, all]) => judgeMoves(killed ? "a move, control plane killed at each step" : "a move", all, least))
    .concat(judgeRollbacks(rolledBack, least));
}

function judgeMoves(subject: string, all: Moved[], least: Least): Result[] {
  const whole = all.filter((each) => each.state === "done" && each.connections >= least.connections);
  const last = all.flatMap((each) => each.steps.filter(({ share }) => share === 100));
  const before = all.flatMap((each) => each.steps.filter(({ share }) => share < 100));
  const none = { at: "max", op: "==", value: 0 } as const;
  const valuesOf = (metric: string, unit: string, values: number[], bar?: Parameters<typeof result>[4]) =>
    values.length > 0 ? [result(subject, metric, unit, values, bar)] : [];
  return [
    wasMeasured(subject, whole.length, least.moves),
    result(
      subject,
      "open connections",
      "connections",
      all.map((each) => each.connections),
    ),
    result(
      subject,
      "open connections that broke",
      "failures",
      all.map((each) => each.broken),
      none,
    ),
    required(
      result(
        subject,
        "new connections that failed",
        "failures",
        all.map((each) => each.failed),
        none,
      ),
    ),
    ...valuesOf("share of new connections, from the requested one", "points", before.map(differenceOf), {
      at: "max",
      op: "<=",
      value: 2,
    }),
    ...valuesOf("the same after the last step", "points", last.map(differenceOf), { at: "max", op: "<=", value: 0 }),
  ];
}

function judgeRollbacks(all: RolledBack[], least: Least): Result[] {
  const subject = "a rollback, backends of the target lost";
  if (all.length === 0) return [wasMeasured(subject, 0, least.rollbacks)];
  const soon = { at: "max", op: "<=", value: 5_000 } as const;
  const whole = all.filter((each) => each.state === "rolled-back");
  return [
    wasMeasured(subject, whole.length, least.rollbacks),
    result(
      subject,
      "gate closed → rolled back",
      "ms",
      all.map((each) => each.ms),
      soon,
    ),
    result(
      subject,
      "gate closed → in the router's kernel",
      "ms",
      all.map((each) => each.routedMs),
      soon,
    ),
    result(
      subject,
      "new connections that failed afterwards",
      "failures",
      all.map((each) => each.failedAfter),
      {
        at: "max",
        op: "==",
        value: 0,
      },
    ),
  ];
}

function differenceOf({ share, measured }: { share: number; measured: number }): number {
  return Math.abs(share - measured);
}

/** explain describes what the figures don't show. */
export function explain(moved: Moved[]): string[] {
  return [
    "the share is measured at the end of each step, of connections that began then; the router moves a bucket of busy connections only after some seconds",
    ...moved.map(
      (each) =>
        `a move${each.killed ? ", control plane killed" : ""}: ${each.broken} of ${each.connections} open connections broke, ${each.failed} of ${each.visits} new ones failed; measured ${each.steps.map(({ share, measured, all }) => `${measured.toFixed(1)} % at ${share} % (${all})`).join(", ")}`,
    ),
  ];
}
