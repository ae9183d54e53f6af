import type { ReportedInstance } from "@fairlead/domain/instance";
import { exposureLabel, ownerOf, type Pod, type Sight } from "@fairlead/drivers/kubernetes";
import type { SeenObject } from "@fairlead/services";

/** What a change affects: exposures by selection, exposures by name, and pods that are instances. */
export type Seen = {
  objects: SeenObject[];
  exposureIds: string[];
  pods: [name: string, pod: Pod | null][];
  /** It may affect any exposure of the cluster. */
  isAnywhere?: boolean;
};

const nothing: Seen = { objects: [], exposureIds: [], pods: [] };

/** seenOf returns what a change of an object affects. */
export function seenOf(sight: Sight): Seen {
  switch (sight.type) {
    case "pod": {
      const { before, after } = sight;
      const either = after ?? before;
      if (!either) return nothing;
      // A pod that changes its labels affects the exposures that selected it before, and those that select it now.
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
      // A node's addresses affect all exposures by node port, which may be any.
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

/** toInstance converts a pod for the instance inventory; null while it has no address. */
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
