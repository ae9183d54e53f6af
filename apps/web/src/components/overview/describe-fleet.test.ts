import type { Overview } from "@fairlead/domain";
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
  [{}, {}, "There is no node yet; nothing is exposed yet."],
  [{ "in-sync": 1 }, {}, "The one node reports; nothing is exposed yet."],
  [{ "in-sync": 3 }, { serving: 3, pending: 2 }, "All 3 nodes report; 2 of 5 exposures wait to be made."],
  [{ "in-sync": 2, "out-of-sync": 1 }, { serving: 1 }, "All 3 nodes report; the one exposure serves."],
  [{ "in-sync": 1, silent: 2 }, { serving: 4 }, "1 of 3 nodes reports, 2 are silent; all 4 exposures serve."],
  [
    { silent: 1, "never-seen": 1, revoked: 1 },
    { failed: 1, degraded: 1, pending: 1, deleting: 1, serving: 6 },
    "0 of 3 nodes report, 1 is silent, 1 never reported, 1 is revoked; 1 of 10 exposures failed, 1 is degraded, 1 waits to be made, 1 is being deleted.",
  ],
])("describes %o and %o", (nodes, exposures, want) => {
  expect(describeFleet(fleet(nodes, exposures))).toBe(want);
});
