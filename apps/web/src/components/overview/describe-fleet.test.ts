import type { Overview } from "@fairlead/domain/overview";
import { expect, it } from "vitest";
import { describeFleet } from "./describe-fleet.ts";

const states = { "in-sync": 0, "out-of-sync": 0, silent: 0, "never-seen": 0, revoked: 0 };
const phases = { pending: 0, serving: 0, degraded: 0, failed: 0, deleting: 0 };
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, each) => total + each, 0);

function fleet(
  nodes: Partial<typeof states>,
  exposures: Partial<typeof phases>,
): Pick<Overview, "nodes" | "exposures"> {
  return {
    nodes: { total: sum(nodes), byState: { ...states, ...nodes } },
    exposures: { total: sum(exposures), byPhase: { ...phases, ...exposures } },
  };
}

it.each([
  [{}, {}, "No nodes yet; no exposures yet."],
  [{ "in-sync": 1 }, {}, "The only node is reporting; no exposures yet."],
  [{ "in-sync": 3 }, { serving: 3, pending: 2 }, "All 3 nodes are reporting; 2 of 5 exposures are pending."],
  [{ "in-sync": 2, "out-of-sync": 1 }, { serving: 1 }, "All 3 nodes are reporting; the only exposure is serving."],
  [
    { "in-sync": 1, silent: 2 },
    { serving: 4 },
    "1 of 3 nodes is reporting, 2 are silent; all 4 exposures are serving.",
  ],
  [
    { silent: 1, "never-seen": 1, revoked: 1 },
    { failed: 1, degraded: 1, pending: 1, deleting: 1, serving: 6 },
    "0 of 3 nodes are reporting, 1 is silent, 1 never reported, 1 is revoked; 1 of 10 exposures failed, 1 is degraded, 1 is pending, 1 is being deleted.",
  ],
])("describes %o and %o", (nodes, exposures, want) => {
  expect(describeFleet(fleet(nodes, exposures))).toBe(want);
});
