import { setTimeout as sleep } from "node:timers/promises";
import { narrow, readRequests } from "./apiserver.ts";
import type { Count, Took } from "./judge.ts";
import { ask, expose, MapReader, slowedIn } from "./product.ts";
import { createSet, type Rig, waitFor } from "./rig.ts";

/** measureNarrow exposes instances while the apiserver rejects most requests: none may fail, or retry without a pause. */
export async function measureNarrow(
  rig: Rig,
  clusterId: string,
  { instances, accounts }: { instances: number; accounts: string },
): Promise<{ subject: string; took: Took[]; counts: Count[] }> {
  const { watcher, stack, control } = rig;
  const subject = `${instances} instances, apiserver busy`;
  const namespace = await createSet(rig, "narrow", instances);
  const running = () => watcher.podsOf(namespace).filter((pod) => pod.runningAt !== null).length;
  await waitFor("the pods to expose", () => running() === instances, 120_000);
  const widen = await narrow(control, accounts);
  await sleep(2_000); // until it takes effect
  const log = slowedIn(stack).end;
  const before = await readRequests(control);
  const began = performance.now();
  const exposureId = await expose(stack, clusterId, namespace, "narrow");
  const reader = new MapReader(stack, exposureId);
  try {
    await waitFor("the mapping of all of them", () => reader.readyAt.size >= instances, 300_000);
    const ms = performance.now() - began;
    const turnedAway = (await readRequests(control)).turnedAway - before.turnedAway;
    const { failures } = slowedIn(stack, log);
    for (const line of failures.slice(0, 3)) console.error(line);
    return {
      subject,
      took: [{ subject, what: "exposed", ms }],
      counts: [
        { subject, what: "turned away", value: turnedAway },
        { subject, what: "turned away a second", value: turnedAway / (ms / 1_000) },
        { subject, what: "failed", value: failures.length },
      ],
    };
  } finally {
    await reader.stop();
    await widen();
    await ask(stack, "DELETE", `/exposures/${exposureId}`);
    await waitFor("the end of the Services", () => watcher.servicesOf(namespace).length === 0, 120_000);
  }
}
