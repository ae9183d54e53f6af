import { markManyDirty } from "@fairlead/services";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Stage, setStage } from "./testing/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const exposures = 40;

it("three controllers share the work, and no object is ever reconciled by two of them at once", async () => {
  // Slow enough that two controllers on one object would overlap.
  stage.world.faults.add({ operation: "list", does: { type: "delay", ms: 30 } });
  const ids: string[] = [];
  // A lease as usual: no stall of the machine ends one.
  await Promise.all([1, 2, 3].map(() => stage.child({ concurrency: 4, leaseMs: 20_000 })));
  for (let i = 0; i < exposures; i++) {
    ids.push(await stage.expose());
    // Marked again while it may be in progress: the best chance for a second controller to claim it.
    await markManyDirty(stage.database.db, "exposure", ids.slice(-5));
  }
  await stage.converged();
  expect(stage.world.overlaps).toBe(0);
  expect(stage.world.journal).toHaveLength(exposures);
  const shares = Map.groupBy(stage.world.journal, (each) => each.who);
  expect([...shares.keys()].sort()).toEqual(["controller-1", "controller-2", "controller-3"]);
});
