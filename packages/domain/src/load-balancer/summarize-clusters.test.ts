import { expect, it } from "vitest";
import { replicaWeight } from "./replica-weight.ts";
import { summarizeClusters } from "./summarize-clusters.ts";

type Phase = "pending" | "serving" | "degraded" | "failed";

const inCluster = (name: string, phase: Phase, message = "") => ({
  name,
  summary: {
    phase,
    message,
    conditions: [{ type: "Ready", status: "true" as const, reason: "Serving" as const, message }],
  },
});

it.each([
  [["serving", "serving"], "serving: Serving in fra, ams."],
  [["serving", "failed"], "degraded: Serving in fra. ams: No replica. Its share goes to the others."],
  [["serving", "pending"], "degraded: Serving in fra. ams: No replica. Its share goes to the others."],
  [["degraded", "serving"], "degraded: Serving in fra, ams. fra: No replica."],
  [["failed", "failed"], "failed: fra: No replica."],
  [["pending", "pending"], "pending: fra: No replica."],
] as [[Phase, Phase], string][])("of %j is %s", ([one, other], want) => {
  const message = (phase: Phase) => (phase === "serving" ? "Serving." : "No replica.");
  const {
    phase,
    message: text,
    conditions,
  } = summarizeClusters([inCluster("fra", one, message(one)), inCluster("ams", other, message(other))]);
  expect(`${phase}: ${text}`).toBe(want);
  expect(conditions.map((each) => [each.type, each.message])).toEqual([["Ready", text]]);
});

it.each([
  ["serving", "serving: Serving in fra. ams stands by."],
  ["failed", "degraded: Serving in fra. ams: No replica."],
] as [Phase, string][])("of one that stands by and is %s", (other, want) => {
  const ams = { ...inCluster("ams", other, "No replica."), standsBy: true };
  const { phase, message } = summarizeClusters([inCluster("fra", "serving", "Serving."), ams]);
  expect(`${phase}: ${message}`).toBe(want);
});

it("divides a share among replicas, with the same sum for any number of them", () => {
  expect(replicaWeight(80, 2)).toBe(400_000);
  expect(replicaWeight(20, 1)).toBe(200_000);
  expect(3 * replicaWeight(20, 3)).toBeCloseTo(200_000, -1);
  expect(replicaWeight(20, 0)).toBe(200_000);
  // Only replicas that stand by too are compared with it.
  expect(replicaWeight(0, 2)).toBe(500_000);
});
