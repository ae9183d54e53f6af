import { perSecond, type Turn } from "./measured.ts";

/** The Go variables of these names; see the Go package adaptive. */
export const ours = "adaptive";
export const random = "random";
export const leastConnections = "least connections";
export const sameNode = "PreferSameNode";
export const rap = "RAP, text";
export const alone = "one node alone";

/** What one node serves by plan; the Go constant nodeRate. */
export const nodeRate = 1500;

/** What is compared. */
export const figures = {
  rate: { name: "requests/s", of: perSecond },
  mean: { name: "mean", of: ({ meanMs }: Turn) => meanMs },
  p99: { name: "p99", of: ({ p99Ms }: Turn) => p99Ms },
} as const;

type End = { scenario: string; subject: string };

/** A ratio of two turns of one round, and its bar. */
export type Ratio = {
  figure: keyof typeof figures;
  of: End;
  to: End;
  op: "<=" | ">=";
  value: number;
};

export const busy3 = "8:8:8:8, 3 ms";
const busy18 = "8:8:8:8, 18 ms";
const one3 = "32:0:0:0, 3 ms";
export const skewed3 = "70:10:10:10, 3 ms";
const skewed18 = "70:10:10:10, 18 ms";
const even18 = "even, 18 ms";

export const ratios: readonly Ratio[] = [
  { figure: "rate", of: at(busy18, ours), to: at(busy3, ours), op: ">=", value: 0.98 },
  { figure: "rate", of: at(busy3, ours), to: at(busy3, random), op: ">=", value: 1.25 },
  { figure: "rate", of: at(busy18, ours), to: at(busy18, random), op: ">=", value: 4.5 },
  { figure: "rate", of: at(one3, ours), to: at(one3, random), op: ">=", value: 1.05 },
  { figure: "rate", of: at(one3, ours), to: at(one3, rap), op: ">=", value: 2.5 },
  { figure: "rate", of: at(busy3, rap), to: at(busy3, sameNode), op: ">=", value: 0.95 },
  { figure: "p99", of: at(skewed3, ours), to: at(skewed3, random), op: "<=", value: 0.65 },
  { figure: "p99", of: at(skewed3, ours), to: at(skewed3, leastConnections), op: "<=", value: 0.92 },
  { figure: "mean", of: at(skewed3, ours), to: at(skewed3, random), op: "<=", value: 0.7 },
  { figure: "p99", of: at(skewed18, ours), to: at(skewed18, random), op: "<=", value: 0.9 },
  { figure: "p99", of: at(skewed18, ours), to: at(skewed18, leastConnections), op: "<=", value: 0.78 },
  { figure: "mean", of: at(skewed18, ours), to: at(skewed18, random), op: "<=", value: 0.7 },
  { figure: "p99", of: at(even18, ours), to: at(even18, sameNode), op: "<=", value: 1.03 },
];

/** Bars of ours alone. */
export const shares: readonly { scenario: string; least: number }[] = [{ scenario: even18, least: 99 }];
export const events = ["slow node, 3 ms", "busy neighbour, 3 ms", "surge, 3 ms"];
export const kill = "killed pod, 3 ms";
export const coldStart = "cold start, 3 ms";
/** Scenarios that have figures and no bars. */
export const withoutBars = [
  "70:10:10:10 over UDP, 3 ms",
  "70:10:10:10 over IPv6, 3 ms",
  "70:10:10:10 from outside, 3 ms",
  coldStart,
];
/** Changes whose effect is predicted, and then measured; see the Go variable whatIfs. */
export const whatIfs = [
  "what if: 18 ms in place of 3 ms",
  "what if: 3 ms in place of 18 ms",
  "what if: a slow node",
  "what if: a node without an instance",
];
export const mostPredictionError = 0.2;
export const mostRecoveryMs = 500;
export const mostFailedLater = 2;

function at(scenario: string, subject: string): End {
  return { scenario, subject };
}
