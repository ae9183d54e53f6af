import { setTimeout as sleep } from "node:timers/promises";
import type { OwnControlPlane } from "@fairlead/drivers/kubernetes-testing";
import { statefulSetOf } from "@fairlead/drivers/kubernetes-testing";
import type { Stack } from "../controlplane/stack.ts";
import type { ClusterWatcher } from "./cluster-watcher.ts";
import type { Took, What } from "./judge.ts";
import type { MapReader } from "./product.ts";

/** Rig is what each part of the benchmark works with. */
export type Rig = { stack: Stack; control: OwnControlPlane; watcher: ClusterWatcher };

/** createSet creates a stateful set in its own namespace and returns the namespace. */
export async function createSet({ control }: Rig, name: string, replicas: number): Promise<string> {
  const namespace = await control.createNamespace("bench");
  await control.api.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, statefulSetOf(name, replicas));
  return namespace;
}

export async function scaleSet({ control }: Rig, namespace: string, name: string, replicas: number): Promise<void> {
  await control.api.merge(`/apis/apps/v1/namespaces/${namespace}/statefulsets/${name}`, { spec: { replicas } });
}

/** waitFor polls a condition, and throws its name if it isn't met in time. */
export async function waitFor(what: string, holds: () => boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`${what} was not seen within ${withinMs / 1_000} s`);
    await sleep(20);
  }
}

/** tookOf returns the duration of each step of the exposed instances, by pod name. */
export function tookOf(
  subject: string,
  { watcher }: Pick<Rig, "watcher">,
  { namespace, names, reader }: { namespace: string; names: readonly string[]; reader: MapReader },
): Took[] {
  const services = watcher.servicesOf(namespace);
  return names.flatMap((name) => {
    const pod = watcher.pods.get(`${namespace}/${name}`);
    const service = services.find((each) => each.name.endsWith(`-${name}`));
    if (!pod || !service) return [];
    const pair = `${pod.address} ${service.address}`;
    const steps: [What, number | null, number | null | undefined][] = [
      ["made", pod.thereAt, service.thereAt],
      ["running", pod.runningAt, service.thereAt],
      // The map waited for the later of the two.
      ["mapped", Math.max(service.addressedAt ?? 0, pod.addressedAt ?? 0), reader.servedAt.get(pair)],
      ["whole", pod.runningAt, reader.readyAt.get(pair)],
    ];
    return steps.flatMap(([what, from, to]) =>
      from === null || to === null || to === undefined ? [] : [{ subject, what, ms: Math.max(0, to - from) }],
    );
  });
}
