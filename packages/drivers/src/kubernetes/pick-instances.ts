import type { DesiredExposure, ObservedInstance } from "@fairlead/domain";
import { instanceLabel, podNameLabel } from "./marks.ts";
import type { Pod, Workload } from "./objects.ts";
import { shorten } from "./shorten.ts";

/** PickedInstance is one instance of a workload, and the pod that is it at present. */
export type PickedInstance = ObservedInstance & {
  pod: Pod | null;
  /** What of a pod makes it this instance. */
  selector: Record<string, string>;
};

export type Picked = {
  instances: PickedInstance[];
  /** Pods that have to be marked to be an instance, and those that are none any more (null). */
  marks: { pod: Pod; instance: string | null }[];
};

/**
 * pickInstances says which instances a workload has, and which pod is which. Names last: a pod of a stateful set has its
 * own, one of a daemon set has its node's, and any other is given a number, which its successor takes over.
 */
export function pickInstances(
  exposure: Pick<DesiredExposure, "id" | "name" | "workload">,
  workload: Workload | null,
  pods: readonly Pod[],
): Picked {
  const living = pods.filter((each) => !each.ended);
  switch (exposure.workload.kind) {
    case "stateful-set":
      return pickNamed(workload, living);
    case "daemon-set":
      return pickByNode(exposure, living);
    case "deployment":
      return pickNumbered(exposure, exposure.workload.name ?? exposure.name, living, {
        least: workload?.replicas ?? 0,
        most: workload?.replicas ?? 0,
      });
    case "selector":
      return pickNumbered(exposure, exposure.name, living, { least: 0, most: Number.POSITIVE_INFINITY });
    default:
      return exposure.workload.kind satisfies never;
  }
}

/** A stateful set says which pods it wants, whether they run or not. */
function pickNamed(workload: Workload | null, pods: readonly Pod[]): Picked {
  if (!workload) return { instances: [], marks: [] };
  const byName = new Map(pods.map((each) => [each.name, each]));
  const names = Array.from({ length: workload.replicas }, (_, i) => `${workload.name}-${workload.firstOrdinal + i}`);
  return {
    instances: names.map((name) => toInstance(name, byName.get(name) ?? null, { [podNameLabel]: name })),
    marks: [],
  };
}

function pickByNode({ id, workload }: Pick<DesiredExposure, "id" | "workload">, pods: readonly Pod[]): Picked {
  const label = instanceLabel(id);
  const placed = pods.filter((each) => each.nodeName !== "");
  const names = [...new Set(placed.map((each) => each.nodeName))].sort();
  const instances = names.map((nodeName) => {
    const name = `${workload.name}-${nodeName}`;
    const pod = best(placed.filter((each) => each.nodeName === nodeName));
    return toInstance(name, pod, { [label]: spellMark(name) });
  });
  return { instances, marks: marksFor(label, instances, pods) };
}

/**
 * Numbers that pods have stay theirs. The lowest free ones go to pods without, up to as many as are wanted: one more, as an
 * update brings, waits until another is on its way out, and takes its number over.
 */
function pickNumbered(
  { id }: Pick<DesiredExposure, "id">,
  name: string,
  pods: readonly Pod[],
  { least, most }: { least: number; most: number },
): Picked {
  const label = instanceLabel(id);
  // With its number it still is a label's value.
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
  const held = () => [...numbers.values()].filter((each) => !each.terminating).length;
  for (const pod of unmarked) if (held() < most) numbers.set(lowestFree(numbers), pod);
  // Places that are wanted and have nobody yet keep their names: whoever comes back finds its address.
  while (numbers.size < least) numbers.set(lowestFree(numbers, true), absent);
  const instances = [...numbers.entries()]
    .sort(([a], [b]) => a - b)
    .map(([n, pod]) => toInstance(mark(n), pod === absent ? null : pod, { [label]: spellMark(mark(n)) }));
  return { instances, marks: marksFor(label, instances, pods) };
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
};

/** A number whose pod is on its way out may be taken over, unless only names are counted. */
function lowestFree(numbers: ReadonlyMap<number, Pod>, unheldOnly = false): number {
  for (let n = 0; ; n++) {
    const holder = numbers.get(n);
    if (!holder || (!unheldOnly && holder.terminating)) return n;
  }
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
    // One on its way out keeps its mark, for its connections.
    if (pod.labels[label] === wanted || (wanted === undefined && pod.terminating)) return [];
    return [{ pod, instance: wanted ?? null }];
  });
}

/** The oldest first, and of one age by name, so that everybody who looks picks the same. */
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

/** A label's value has 63 characters at most. */
function spellMark(name: string): string {
  return shorten(name, 63);
}
