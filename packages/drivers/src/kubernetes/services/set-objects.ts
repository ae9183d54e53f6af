import { type DesiredExposure, type DesiredLoadBalancer, isSharedService } from "@fairlead/domain/exposure";
import type { Change } from "../../driver.ts";
import type { ExposureProblem } from "../../exposure-driver.ts";
import type { KubernetesCalls, ObjectName } from "../api/calls.ts";
import { each } from "../api/each.ts";
import { KubernetesError } from "../api/error.ts";
import {
  type EndpointSlice,
  type KubernetesObject,
  keepEndpointSlice,
  keepService,
  type Service,
  type Workload,
} from "../view/objects.ts";
import type { ClusterView } from "../view/view.ts";
import { differences } from "./differences.ts";
import { exposureLabel, instanceLabel, loadBalancerLabel } from "./marks.ts";
import type { Picked, PickedInstance } from "./pick-instances.ts";
import { type WantedSlice, wantSlices } from "./shared-ports.ts";
import { createdWith, isInAws, keepCreatedKind, wantService } from "./want-services.ts";
import type { WantedService } from "./wanted-service.ts";

/** Work is one pass over one exposure: its API and view, and its results. */
export type Work = {
  calls: KubernetesCalls;
  view: ClusterView;
  signal: AbortSignal;
  changes: Change[];
  problems: ExposureProblem[];
  /** Returns the apiserver's own words about a refusal, without credentials. */
  detailOf: (error: KubernetesError) => string;
};

/** setMarks sets the instance labels of pods, and removes outdated ones. */
export async function setMarks({ id }: { id: string }, marks: Picked["marks"], work: Work): Promise<void> {
  const { calls, view, signal, changes } = work;
  await each(marks, signal, async ({ pod, instance }) => {
    const { namespace, name, uid } = pod;
    const body = { metadata: { uid, labels: { [instanceLabel(id)]: instance } } };
    try {
      view.pods.absorb(await calls.patchPod({ namespace, name }, body, signal));
      changes.push({
        message: instance === null ? `unmarked the pod ${name}` : `marked the pod ${name} as ${instance}`,
      });
    } catch (error) {
      // A pod that was deleted or replaced meanwhile is handled in the next pass.
      if (!(error instanceof KubernetesError) || (error.status !== 404 && error.status !== 409)) throw error;
    }
  });
}

/** serviceSetter sets the Services of an exposure one by one, and returns the name of each; null if it was refused. */
export function serviceSetter(
  desired: DesiredExposure,
  workload: Workload | null,
  instances: readonly PickedInstance[],
  there: readonly Service[],
  work: Work,
): (loadBalancer: DesiredLoadBalancer) => Promise<string | null> {
  const { namespace } = desired.workload;
  const byName = new Map(instances.map((each) => [each.name, each]));
  const seen = new Map(
    there
      .filter((service) => service.namespace === namespace && !service.terminating)
      .map((service) => [service.labels[loadBalancerLabel], service]),
  );
  const around = { instances, isInAws: isInAws(work.view.nodes.items.values()) };
  return async (loadBalancer) => {
    const instance = loadBalancer.instance === null ? undefined : byName.get(loadBalancer.instance);
    const wanted = wantService(desired, loadBalancer, workload, { instance, ...around });
    return setService(desired, loadBalancer, wanted, seen.get(loadBalancer.id), work);
  };
}

async function setService(
  desired: DesiredExposure,
  loadBalancer: DesiredLoadBalancer,
  wanted: WantedService,
  seen: Service | undefined,
  work: Work,
): Promise<string | null> {
  const { calls, view, signal, changes, problems } = work;
  const { namespace } = desired.workload;
  // Clients and DNS use its name, so it stays when the exposure is renamed.
  if (seen) wanted.metadata.name = seen.name;
  const { name } = wanted.metadata;
  try {
    const before = seen ?? (await findUnseen({ namespace, name }, work));
    if (before) keepCreatedKind(wanted, before);
    const found = before ? differs(wanted, before) : [];
    if (before && found.length === 0) return name;
    if (before && before.labels[exposureLabel] !== desired.id) {
      problems.push({
        loadBalancerId: loadBalancer.id,
        message: `the Service ${namespace}/${name} exists and does not belong to this exposure. Rename the Service or this exposure`,
      });
      return null;
    }
    const body = before ? withUid(wanted, before.uid) : { ...wanted, spec: { ...wanted.spec, ...createdWith } };
    const applied = await calls.applyService(body, signal);
    view.services.absorb(await withoutMore(wanted, applied, work));
    changes.push({
      message: before
        ? `changed the Service ${namespace}/${name} (${found.join(", ")})`
        : `created the Service ${namespace}/${name}`,
    });
    return name;
  } catch (error) {
    if (!(error instanceof KubernetesError) || isGeneral(error)) throw error;
    // It was deleted or replaced meanwhile. The next try sees what is there.
    if (error.status === 409)
      throw new Error(`another program changed the Service ${namespace}/${name} at the same time`);
    // If quota or admission refuses one Service, the others are still set.
    const detail = work.detailOf(error) || `status ${error.status}`;
    problems.push({
      loadBalancerId: loadBalancer.id,
      message: `the cluster rejected the Service ${namespace}/${name}: ${detail}`,
    });
    return null;
  }
}

/** isGeneral reports whether the error is independent of this object. */
function isGeneral({ status }: KubernetesError): boolean {
  return status >= 500 || status === 401 || status === 429;
}

/** Apply only adds to shared lists, and leaves fields that it doesn't set: a patch removes extra ports and an extra selector. */
async function withoutMore(
  wanted: WantedService,
  applied: KubernetesObject,
  { calls, signal }: Work,
): Promise<KubernetesObject> {
  if (differs(wanted, keepService(applied)).length === 0) return applied;
  const { ports, selector } = wanted.spec;
  const spec = selector ? { ports } : { ports, selector: null };
  const body = { metadata: { uid: applied.metadata.uid }, spec };
  return calls.patchService(wanted.metadata, body, signal);
}

/**
 * The view may be outdated, and apply would take over someone else's object: so an unseen Service is read first.
 */
async function findUnseen(service: ObjectName, { calls, view, signal }: Work): Promise<Service | null> {
  try {
    const there = await calls.readService(service, signal);
    view.services.absorb(there);
    return keepService(there);
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return null;
    throw error;
  }
}

async function findUnseenSlice(slice: ObjectName, { calls, signal }: Work): Promise<EndpointSlice | null> {
  try {
    return keepEndpointSlice(await calls.readEndpointSlice(slice, signal));
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return null;
    throw error;
  }
}

function differs(wanted: WantedService, there: Service): string[] {
  const { name: _, namespace: __, ownerReferences, ...metadata } = wanted.metadata;
  const owners = new Set(there.owners.map((owner) => owner.uid));
  return [
    ...differences(metadata, { labels: there.labels, annotations: there.annotations }),
    ...(ownerReferences.every((owner) => owners.has(owner.uid)) ? [] : ["ownerReferences"]),
    ...differences(sorted(wanted.spec), sorted(there.spec)).map((field) => `spec.${field}`),
    ...surplusSelector(wanted.spec.selector, there.spec.selector),
  ];
}

/** Ports are returned in any order. */
function sorted<Spec extends { ports?: { name?: string; port: number }[] }>(spec: Spec): Spec {
  return {
    ...spec,
    ports: [...(spec.ports ?? [])].sort((a, b) => a.port - b.port || ((a.name ?? "") < (b.name ?? "") ? -1 : 1)),
  };
}

/** A selector with an extra label selects other pods; one that isn't wanted lets the cluster add endpoints of its own. */
function surplusSelector(wanted: object = {}, there: object = {}): string[] {
  return Object.keys(there).every((key) => key in wanted) ? [] : ["spec.selector"];
}

function withUid<Wanted extends { metadata: object }>(wanted: Wanted, uid: string): Wanted {
  return { ...wanted, metadata: { ...wanted.metadata, uid } };
}

function comparable({ metadata: { labels }, addressType, endpoints, ports }: WantedSlice): object {
  return { labels, addressType, endpoints, ports };
}

/** setEndpointSlices sets the endpoints of a Service without a selector, and removes outdated ones. */
export async function setEndpointSlices(
  desired: DesiredExposure,
  loadBalancers: readonly DesiredLoadBalancer[],
  instances: readonly PickedInstance[],
  work: Work,
): Promise<void> {
  const { calls, view, signal, changes } = work;
  const isShared = desired.strategy.type === "per-replica" && isSharedService(desired.strategy.addressing);
  const wanted = isShared
    ? loadBalancers.flatMap(({ id }) => {
        const service = view.servicesOf(loadBalancerLabel, id).find((one) => !one.terminating);
        return service ? wantSlices(desired, id, service, instances) : [];
      })
    : [];
  const there = new Map(
    view.slicesOf(exposureLabel, desired.id).map((slice) => [`${slice.namespace}/${slice.name}`, slice]),
  );
  const missing: { slice: WantedSlice; before: EndpointSlice | undefined }[] = [];
  for (const slice of wanted) {
    const key = `${slice.metadata.namespace}/${slice.metadata.name}`;
    const before = there.get(key);
    there.delete(key);
    if (!before || differences(comparable(slice), before).length > 0) missing.push({ slice, before });
  }
  await each(missing, signal, async ({ slice, before: seen }) => {
    const { namespace, name } = slice.metadata;
    const before = seen ?? (await findUnseenSlice({ namespace, name }, work));
    if (before && before.labels[exposureLabel] !== desired.id)
      throw new Error(
        `the endpoints ${namespace}/${name} exist and do not belong to this exposure. Remove them if unused, or recreate this exposure with another name`,
      );
    view.endpointSlices.absorb(await calls.applyEndpointSlice(before ? withUid(slice, before.uid) : slice, signal));
    changes.push({ message: `wrote the endpoints ${namespace}/${name}` });
  });
  await each([...there.values()], signal, async ({ namespace, name, uid }) => {
    const { wasThere } = await calls.removeEndpointSlice({ namespace, name, uid }, signal);
    view.endpointSlices.remove({ namespace, name, uid });
    if (wasThere) changes.push({ message: `removed the endpoints ${namespace}/${name}` });
  });
}
