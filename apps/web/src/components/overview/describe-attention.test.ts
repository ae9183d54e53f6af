import type { AttentionCount } from "@fairlead/domain/attention";
import { expect, it } from "vitest";
import { describeAttention } from "./describe-attention.ts";

const phases = { pending: 0, serving: 0, degraded: 0, failed: 0, deleting: 0 };
const states = { "in-sync": 0, "out-of-sync": 0, silent: 0, "never-seen": 0, revoked: 0 };
const fleet = (nodes: number, byPhase: Partial<typeof phases>) => ({
  nodes: { total: nodes, byState: states },
  exposures: { total: Object.values(byPhase).reduce((sum, each) => sum + each, 0), byPhase: { ...phases, ...byPhase } },
});
const driver: AttentionCount = { kind: "exposure-no-driver", severity: "problem", count: 2 };
const silent: AttentionCount = { kind: "node-silent", severity: "problem", count: 1 };
const pool: AttentionCount = { kind: "pool-full", severity: "warning", count: 1 };
const held: AttentionCount = { kind: "prices-held", severity: "warning", count: 3 };

it.each<[string, AttentionCount[]]>([
  ["2 exposures have no driver.", [driver]],
  ["2 exposures have no driver and 1 node is silent.", [driver, silent]],
  ["2 exposures have no driver, 1 node is silent and 1 more needs attention.", [driver, silent, pool]],
  ["2 exposures have no driver, 1 node is silent and 4 more need attention.", [driver, silent, pool, held]],
])("%s", (want, counts) => {
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  expect(describeAttention({ total, counts }, fleet(3, { serving: 4 }))).toBe(want);
});

it.each<[string, number, Partial<typeof phases>]>([
  ["No nodes and no exposures yet.", 0, {}],
  ["Nothing needs attention. No exposures yet.", 1, {}],
  ["Everything serves.", 0, { serving: 3 }],
  ["Nothing needs attention. Exposures serving: 1 of 2.", 1, { serving: 1, pending: 1 }],
])("%s", (want, nodes, byPhase) => {
  expect(describeAttention({ total: 0, counts: [] }, fleet(nodes, byPhase))).toBe(want);
});
