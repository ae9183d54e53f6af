import { type DesiredExposure, mostInstances, type ObservedInstance } from "@fairlead/domain/exposure";
import type { Pod, Workload } from "../view/objects.ts";
import { instanceLabel, podNameLabel } from "./marks.ts";
import { shorten } from "./shorten.ts";

/** PickedInstance is one instance of a workload, and its current pod. */
export type PickedInstance = ObservedInstance & {
  pod: Pod | null;
  /** The pod labels of this instance. */
  selector: Record<string, string>;
};

export type Picked = {
  /** At most the maximum of one exposure. */
  instances: PickedInstance[];
  /** The number of instances above the maximum. */
  surplus: number;
  /** Pods to mark as an instance, and pods to unmark (null). */
  marks: { pod: Pod; instance: string | null }[];
};

/**
 * pickInstances determines the instances of a workload and their pods. Names are stable: a pod of a stateful set keeps its name, one of a
 * daemon set has its node's, and any other gets a number, which its successor takes over.
 */
export function pickInstances(
  exposure: Pick<DesiredExposure, "id" | "name" | "workload">,
  workload: Workload | null,
  pods: readonly Pod[],
): Picked {
  const { instances, marks, surplus = 0 } = pickAll(exposure, workload, pods);
  const kept = instances.slice(0, mostInstances);
  return { instances: kept, marks, surplus: surplus + instances.length - kept.length };
}

type All = { instances: PickedInstance[]; marks: Picked["marks"]; surplus?: number };

function pickAll(
  exposure: Pick<DesiredExposure, "id" | "name" | "workload">,
  workload: Workload | null,
  pods: readonly Pod[],
): All {
  const living = pods.filter((each) => !each.ended);
  switch (exposure.workload.kind) {
    case "stateful-set":
      return pickNamed(workload, living);
    case "daemon-set":
      return pickByNode(exposure, living);
    case "deployment": {
      const replicas = workload?.replicas ?? 0;
      const wanted = Math.min(mostInstances, replicas);
      const name = exposure.workload.name ?? exposure.name;
      const picked = pickNumbered(exposure, name, living, { least: wanted, most: wanted });
      // One more than wanted, during an update, is not a surplus.
      return { ...picked, surplus: replicas - wanted };
    }
    case "selector":
      return pickNumbered(exposure, exposure.name, living, { least: 0, most: mostInstances });
    default:
      return exposure.workload.kind satisfies never;
  }
}

/** A stateful set defines its pods, whether they run or not. */
function pickNamed(workload: Workload | null, pods: readonly Pod[]): All {
  if (!workload) return { instances: [], marks: [] };
  const byName = new Map(pods.map((each) => [each.name, each]));
  const names = Array.from({ length: workload.replicas }, (_, i) => `${workload.name}-${workload.firstOrdinal + i}`);
  return {
    instances: names.map((name) => toInstance(name, byName.get(name) ?? null, { [podNameLabel]: name })),
    marks: [],
  };
}

function pickByNode({ id, workload }: Pick<DesiredExposure, "id" | "workload">, pods: readonly Pod[]): All {
  const label = instanceLabel(id);
  const placed = pods.filter((each) => each.nodeName !== "");
  const byNode = [...Map.groupBy(placed, (each) => each.nodeName)].sort(([a], [b]) => compare(a, b));
  const instances = byNode.map(([nodeName, own]) => {
    const name = `${workload.name}-${nodeName}`;
    const pod = best(own);
    return toInstance(name, pod, { [label]: spellMark(name) });
  });
  return { instances, marks: marksFor(label, instances, pods) };
}

/**
 * Pods keep their numbers. Pods without one get the lowest free numbers, up to the wanted count: an extra pod during an update waits
 * until another terminates, and takes over its number.
 */
function pickNumbered(
  { id }: Pick<DesiredExposure, "id">,
  name: string,
  pods: readonly Pod[],
  { least, most }: { least: number; most: number },
): All {
  const label = instanceLabel(id);
  // Together with the number it must fit into a label value.
  const base = shorten(name, 56);
  const mark = (n: number) => `${base}-${n}`;
  const numbers = new Map<number, Pod>();
  const unmarked: Pod[] = [];
  for (const pod of inOrder(pods)) {
    const number = numberOf(pod.labels[label], base);
    const holder = number === null ? undefined : numbers.get(number);
    if (number !== null && (!holder || (holder.terminating && !pod.terminating))) numbers.set(number, pod);
    else if (!pod.terminating) unmarked.push(pod);
  }
  let held = [...numbers.values()].filter((each) => !each.terminating).length;
  // The number of a terminating pod may be taken over.
  const free = freeOf((n) => numbers.get(n)?.terminating ?? true);
  let surplus = 0;
  for (const pod of unmarked) {
    if (held < most) {
      numbers.set(free(), pod);
      held += 1;
    } else surplus += 1;
  }
  // Missing instances keep their names, so that a replacement gets the same address.
  const unheld = freeOf((n) => !numbers.has(n));
  while (numbers.size < least) numbers.set(unheld(), absent);
  const instances = [...numbers.entries()]
    .sort(([a], [b]) => a - b)
    .map(([n, pod]) => toInstance(mark(n), pod === absent ? null : pod, { [label]: spellMark(mark(n)) }));
  return { instances, marks: marksFor(label, instances, pods), surplus };
}

const absent: Pod = {
  namespace: "",
  name: "",
  uid: "",
  labels: {},
  owner: null,
  createdAt: "",
  nodeName: "",
  addresses: [],
  ready: false,
  terminating: true,
  ended: true,
  limits: { cpuCores: null, memoryBytes: null },
};

/** freeOf returns the lowest free number. The number must be taken before the next call. */
function freeOf(isFree: (n: number) => boolean): () => number {
  let n = 0;
  return () => {
    while (!isFree(n)) n += 1;
    return n++;
  };
}

function numberOf(mark: string | undefined, base: string): number | null {
  const digits = mark?.startsWith(`${base}-`) ? mark.slice(base.length + 1) : "";
  return /^(0|[1-9]\d{0,5})$/.test(digits) ? Number(digits) : null;
}

function marksFor(label: string, instances: readonly PickedInstance[], pods: readonly Pod[]): Picked["marks"] {
  const nameOf = new Map(instances.flatMap(({ pod, name }) => (pod ? [[pod.uid, name] as const] : [])));
  return pods.flatMap((pod) => {
    const name = nameOf.get(pod.uid) ?? null;
    const wanted = name === null ? undefined : spellMark(name);
    // A terminating pod keeps its mark, for its connections.
    if (pod.labels[label] === wanted || (wanted === undefined && pod.terminating)) return [];
    return [{ pod, instance: wanted ?? null }];
  });
}

/** Oldest first, then by name, so that every controller picks the same. */
function inOrder(pods: readonly Pod[]): Pod[] {
  return [...pods].sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.name, b.name));
}

function best(pods: readonly Pod[]): Pod | null {
  const [first = null] = inOrder(pods).sort((a, b) => Number(a.terminating) - Number(b.terminating));
  return first;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toInstance(name: string, pod: Pod | null, selector: Record<string, string>): PickedInstance {
  return { name, ready: pod?.ready === true && !pod.terminating, pod, selector };
}

/** A label value has 63 characters at most. */
function spellMark(name: string): string {
  return shorten(name, 63);
}
