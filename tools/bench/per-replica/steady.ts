import { setTimeout as sleep } from "node:timers/promises";
import type { Took } from "./judge.ts";
import { expose, MapReader } from "./product.ts";
import { createSet, type Rig, scaleSet, tookOf, waitFor } from "./rig.ts";

/** measureSteady adds one instance at a time to a workload, at a fixed rate, and measures the time of each until it is in the map. */
export async function measureSteady(
  rig: Rig,
  clusterId: string,
  { changes, everyMs }: { changes: number; everyMs: number },
): Promise<{ subject: string; took: Took[]; exposureId: string }> {
  const { stack } = rig;
  const subject = `1 → ${changes + 1} instances, one every ${everyMs} ms`;
  const namespace = await createSet(rig, "steady", 1);
  const exposureId = await expose(stack, clusterId, namespace, "steady");
  const reader = new MapReader(stack, exposureId);
  try {
    await waitFor("the first instance's mapping", () => reader.readyAt.size === 1, 30_000);
    const began = performance.now();
    for (let i = 1; i <= changes; i++) {
      await scaleSet(rig, namespace, "steady", i + 1);
      await sleep(Math.max(0, began + i * everyMs - performance.now()));
    }
    const all = () => reader.readyAt.size === changes + 1;
    await waitFor("the last mapping", all, 60_000);
    reader.check();
    const names = Array.from({ length: changes }, (_, i) => `steady-${i + 1}`);
    return { subject, took: tookOf(subject, rig, { namespace, names, reader }), exposureId };
  } finally {
    await reader.stop();
  }
}
