import { setTimeout as sleep } from "node:timers/promises";
import { readRequests } from "./apiserver.ts";
import type { Count, Took } from "./judge.ts";
import { ask, expose, MapReader, residentMb } from "./product.ts";
import { createSet, type Rig, waitFor } from "./rig.ts";

const podsWithinMs = 300_000;
const exposedWithinMs = 300_000;

export type ScaleSize = { instances: number; replacements: number; settledMs: number };

/** measureScale exposes many instances at once, and then replaces pods among them, one at a time. */
export async function measureScale(
  rig: Rig,
  clusterId: string,
  { instances, replacements, settledMs }: ScaleSize,
): Promise<{ subject: string; took: Took[]; counts: Count[] }> {
  const { watcher, stack, control } = rig;
  const subject = `${instances} instances`;
  const pid = stack.pids.controller ?? 0;
  const namespace = await createSet(rig, "large", instances);
  const running = () => watcher.podsOf(namespace).filter((pod) => pod.runningAt !== null).length;
  await waitFor("the pods to expose", () => running() === instances, podsWithinMs);
  await sleep(2_000);
  const counts: Count[] = [{ subject, what: "before", value: residentMb(pid) }];
  const took: Took[] = [];
  const before = await readRequests(control);
  const began = performance.now();
  const exposureId = await expose(stack, clusterId, namespace, "large");
  const reader = new MapReader(stack, exposureId);
  try {
    await waitFor("the mapping of all of them", () => reader.readyAt.size >= instances, exposedWithinMs);
    took.push({ subject, what: "exposed", ms: performance.now() - began });
    const made = await readRequests(control);
    counts.push(
      { subject, what: "requests per instance", value: (made.answered - before.answered) / instances },
      { subject, what: "turned away", value: made.turnedAway - before.turnedAway },
    );
    await sleep(settledMs / 3);
    counts.push({ subject, what: "at full size", value: residentMb(pid) });
    const quiet = await readRequests(control);
    for (let i = 0; i < replacements; i++) {
      took.push({ subject, what: "replaced", ms: await replaceOne(rig, namespace, reader, (i * 79) % instances) });
      await sleep(500 + (i % 7) * 90); // not in step with periodic work
    }
    const replaced = await readRequests(control);
    counts.push({
      subject,
      what: "requests per replacement",
      value: (replaced.answered - quiet.answered) / replacements,
    });
    reader.check();
  } finally {
    await reader.stop();
  }
  const removing = performance.now();
  await ask(stack, "DELETE", `/exposures/${exposureId}`);
  await waitFor("the end of the Services", () => watcher.servicesOf(namespace).length === 0, exposedWithinMs);
  took.push({ subject, what: "removed", ms: performance.now() - removing });
  await sleep(settledMs);
  counts.push({ subject, what: "after", value: residentMb(pid) });
  return { subject, took, counts };
}

/** replaceOne deletes a pod and returns the time from its successor's address to the updated map. */
async function replaceOne(
  { watcher, control }: Rig,
  namespace: string,
  reader: MapReader,
  number: number,
): Promise<number> {
  const name = `large-${number}`;
  const key = `${namespace}/${name}`;
  const external = watcher.servicesOf(namespace).find((each) => each.name.endsWith(`-${name}`))?.address;
  const before = watcher.pods.get(key)?.uid;
  await control.api.delete(`/api/v1/namespaces/${namespace}/pods/${name}?gracePeriodSeconds=0`);
  const next = () => {
    const pod = watcher.pods.get(key);
    return pod && pod.uid !== before && pod.address !== null ? pod : null;
  };
  await waitFor(`the successor of ${name}`, () => next() !== null, 60_000);
  const servedAt = () => reader.servedAt.get(`${next()?.address} ${external}`);
  await waitFor(`the successor of ${name} in the map`, () => servedAt() !== undefined, 60_000);
  return Math.max(0, (servedAt() ?? 0) - (next()?.addressedAt ?? 0));
}
