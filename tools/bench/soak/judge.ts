import { type Result, result } from "../result.ts";

type Left = { what: string; where: string; before: number; after: number };

/** What `fairlead-bench soak` prints; see the Go package soak. */
export type Soaked = {
  left: Left[];
  after: Left[];
  cycles: number;
  changes: number;
  every: number;
  requests: number;
  seconds: number;
};

/** Figures without a bar, each with its reason. */
const unbound: Record<string, string> = {
  "KiB of memory": "the garbage collector decides when memory is released, so there is no bar",
  threads: "Go keeps threads that it once needed, so the bar is on goroutines instead",
  "connections that ended elsewhere":
    "the end of a connection that moved to another replica isn't seen by this one, which drops the entry when its table is full",
};

/** judge compares the end with the start, place by place. */
export function judge({ left, after, cycles, changes, every, requests, seconds }: Soaked): Result[] {
  const none = { at: "max", op: "==", value: 0 } as const;
  const kinds = (of: Left[]) => [...Map.groupBy(of, (each) => each.what)];
  const more = (own: Left[]) => own.reduce((sum, each) => sum + Math.max(0, each.after - each.before), 0);
  return [
    ...kinds(left)
      .sort(([a], [b]) => Number(a in unbound) - Number(b in unbound))
      .map(([what, own]) =>
        result(
          "agents and lab",
          `${what}, more than at the start`,
          "left",
          [more(own)],
          what in unbound ? undefined : none,
        ),
      ),
    ...kinds(after).map(([what, own]) => result("after it went down", what, "left", [more(own)], none)),
    result("agents and lab", "cycles completed", "cycles", [cycles], { at: "low", op: ">=", value: 2 }),
    result("agents and lab", "changes made", "changes", [changes]),
    result("agents and lab", "from one change to the next", "s", [every]),
    result("agents and lab", "requests answered", "requests", [requests]),
    result("agents and lab", "time", "s", [seconds]),
  ];
}

/** explain names each place where something was left. */
export function explain({ left, after }: Soaked): string[] {
  const grown = [...left, ...after].filter((each) => each.after > each.before);
  return [
    ...grown.map(
      ({ what, where, before, after: now }) => `${what}, ${where}: ${before} at the start, ${now} at the end`,
    ),
    ...Object.values(unbound),
  ];
}
