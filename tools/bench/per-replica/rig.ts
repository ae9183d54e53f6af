import { setTimeout as sleep } from "node:timers/promises";
import type { OwnControlPlane } from "@fairlead/drivers/kubernetes-testing";
import { statefulSetOf } from "@fairlead/drivers/kubernetes-testing";
import type { Stack } from "../controlplane/stack.ts";
import type { Eyes } from "./eyes.ts";
import type { Took, What } from "./judge.ts";
import type { MapReader } from "./product.ts";

/** Rig is what each part of the benchmark works with. */
export type Rig = { stack: Stack; control: OwnControlPlane; eyes: Eyes };

/** createSet makes a stateful set in a namespace of its own, and answers the namespace. */
export async function createSet({ control }: Rig, name: string, replicas: number): Promise<string> {
  const namespace = await control.createNamespace("bench");
  await control.api.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, statefulSetOf(name, replicas));
  return namespace;
}

export async function scaleSet({ control }: Rig, namespace: string, name: string, replicas: number): Promise<void> {
  await control.api.merge(`/apis/apps/v1/namespaces/${namespace}/statefulsets/${name}`, { spec: { replicas } });
}

/** waitFor looks again and again whether something has come, and says what did not. */
export async function waitFor(what: string, holds: () => boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${withinMs / 1_000} s`);
    await sleep(20);
  }
}

/** tookOf says how long each step of the instances took that were exposed, by the pods' names. */
export function tookOf(
  subject: string,
  { eyes }: Pick<Rig, "eyes">,
  { namespace, names, reader }: { namespace: string; names: readonly string[]; reader: MapReader },
): Took[] {
  const services = eyes.servicesOf(namespace);
  return names.flatMap((name) => {
    const pod = eyes.pods.get(`${namespace}/${name}`);
    const service = services.find((each) => each.name.endsWith(`-${name}`));
    if (!pod || !service) return [];
    const pair = `${pod.address} ${service.address}`;
    const steps: [What, number | null, number | null | undefined][] = [
      ["made", pod.thereAt, service.thereAt],
      ["running", pod.runningAt, service.thereAt],
      // Whichever of the two came last is what the map waited for.
      ["mapped", Math.max(service.addressedAt ?? 0, pod.addressedAt ?? 0), reader.servedAt.get(pair)],
      ["whole", pod.runningAt, reader.readyAt.get(pair)],
    ];
    return steps.flatMap(([what, from, to]) =>
      from === null || to === null || to === undefined ? [] : [{ subject, what, ms: Math.max(0, to - from) }],
    );
  });
}
