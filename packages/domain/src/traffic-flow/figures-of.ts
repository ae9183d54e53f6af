import { sum } from "./group-flow.ts";

/** A mean of the last minute. Drops have one for each reason. */
export type Measured = {
  /** A node, a load balancer or a backend. */
  subjectId: string;
  metric: "throughputBps" | "dropsPerSecond";
  /** The replica that measured it; null where no replica of ours did. */
  agentId: string | null;
  value: number;
};

/** figuresOf adds up what was measured of one place; null where nothing was. */
export function figuresOf(measured: readonly Measured[]) {
  const of = (metric: Measured["metric"]) =>
    sum(measured.filter((each) => each.metric === metric).map((each) => each.value));
  return { throughputBps: of("throughputBps"), dropsPerSecond: of("dropsPerSecond") };
}
