import { expect, it } from "vitest";
import { timelineRows } from "./timeline-rows.ts";

it("the rows of a timeline are in order, and figures of the same instant share one", () => {
  const [first, second] = [new Date(1_000), new Date(2_000)];
  const rows = timelineRows({
    from: first,
    to: second,
    desired: [{ at: second, replicaCount: 2 }],
    routed: [],
    throughputBps: [
      { at: first, value: 8 },
      { at: second, value: 16 },
    ],
    requestsPerSecond: [],
    broken: null,
  });
  expect(rows).toEqual([
    { at: first, throughputBps: 8 },
    { at: second, throughputBps: 16, desiredReplicas: 2 },
  ]);
});
