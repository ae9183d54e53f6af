import type { ReportedInstance } from "@fairlead/domain";
import { exposureLabel, ownerOf, type Pod, type Sight } from "@fairlead/drivers/kubernetes";
import type { SeenObject } from "@fairlead/services";

/** What a sight concerns: exposures by what they select, exposures by their names, and pods that are instances. */
export type Seen = {
  objects: SeenObject[];
  exposureIds: string[];
  pods: [name: string, pod: Pod | null][];
  /** It may concern any exposure of the cluster. */
  isAnywhere?: boolean;
};

const nothing: Seen = { objects: [], exposureIds: [], pods: [] };

/** seenOf says whom it concerns that an object is another than before. */
export function seenOf(sight: Sight): Seen {
  switch (sight.type) {
    case "pod": {
      const { before, after } = sight;
      const either = after ?? before;
      if (!either) return nothing;
      // One that changes its labels concerns those who picked it, and those who pick it now.
      const objects = [before, after].filter((each) => each !== null).map(ofPod);
      return { objects, exposureIds: [], pods: [[`${either.namespace}/${either.name}`, after]] };
    }
    case "workload": {
      const either = sight.after ?? sight.before;
      if (!either) return nothing;
      const { namespace, kind, name } = either;
      return { objects: [{ namespace, kind, name, labels: {} }], exposureIds: [], pods: [] };
    }
    case "service":
    case "endpoint-slice": {
      const ids = [sight.before, sight.after].flatMap((each) => each?.labels[exposureLabel] ?? []);
      return { ...nothing, exposureIds: [...new Set(ids)] };
    }
    case "node":
      // Where a node is reached is part of what it exposes by its own ports, and that may be anything.
      return { ...nothing, isAnywhere: addressesOf(sight.before) !== addressesOf(sight.after) };
    default:
      return sight satisfies never;
  }
}

function addressesOf(node: Extract<Sight, { type: "node" }>["after"]): string {
  return node ? [...node.externalAddresses, "", ...node.internalAddresses].join(" ") : "";
}

function ofPod(pod: Pod): SeenObject {
  const owner = ownerOf(pod);
  return { namespace: pod.namespace, kind: owner?.kind ?? "", name: owner?.name ?? "", labels: pod.labels };
}

/** toInstance is a pod as inventories have it; null while it has no address, or no more. */
export function toInstance(pod: Pod): ReportedInstance | null {
  if (pod.ended || pod.addresses.length === 0) return null;
  const owner = ownerOf(pod);
  return {
    name: `${pod.namespace}/${pod.name}`,
    workload: owner ? `${owner.kind} ${pod.namespace}/${owner.name}` : "",
    nodeName: pod.nodeName,
    addresses: pod.addresses,
    ready: pod.ready && !pod.terminating,
    labels: pod.labels,
    weight: 1,
  };
}
