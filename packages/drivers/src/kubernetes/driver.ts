import {
  carriesOwn,
  type DesiredExposure,
  describeStrategy,
  drainedAt,
  type ExposureRef,
  type InstancePlace,
  isDriven,
  type ObservedInstance,
} from "@fairlead/domain/exposure";
import type { ExposureDriver } from "../exposure-driver.ts";
import { TerminalError } from "../terminal-error.ts";
import { each } from "./api/each.ts";
import { KubernetesError } from "./api/error.ts";
import type { KubernetesCluster } from "./clusters.ts";
import { exposureLabel, instanceLabel, loadBalancerLabel, managedBy, us } from "./services/marks.ts";
import { observer } from "./services/observe.ts";
import { type Picked, pickInstances } from "./services/pick-instances.ts";
import { serviceSetter, setEndpointSlices, setMarks, type Work } from "./services/set-objects.ts";
import { ticketSecrets } from "./tickets/ticket-secret.ts";
import type { Pod, Service } from "./view/objects.ts";

/** A reachable cluster is fully listed by then; others must not delay the rest. */
const wholeUsuallyMs = 3_000;

/** Thousands of Services take minutes on a slow apiserver: a pass ends earlier, and its progress is stored. */
const passUsuallyMs = 5_000;

/** kubernetesDriver implements the exposures of one cluster with Services. It reads from the watched copy. */
export function kubernetesDriver(
  { name, calls, view, explain, detailOf }: KubernetesCluster,
  {
    passMs = passUsuallyMs,
    wholeMs = wholeUsuallyMs,
    now = () => new Date(),
  }: { passMs?: number; wholeMs?: number; now?: () => Date } = {},
): ExposureDriver {
  /** An incomplete view must not be used: missing objects would be recreated or removed. */
  async function seen(signal: AbortSignal): Promise<void> {
    const trouble = view.lastingTrouble();
    if (trouble !== null) throw explain(trouble, "watch its objects");
    if (view.isWhole()) return;
    const late = AbortSignal.timeout(wholeMs);
    await view.whole(AbortSignal.any([signal, late])).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new Error(`its apiserver has not listed the objects in ${name} yet`);
    });
  }

  const pick = (ref: ExposureRef): Picked => pickInstances(ref, view.workloadOf(ref), view.podsOf(ref));

  return {
    supports: isDriven,
    tickets: ticketSecrets({ calls, explain, detailOf }),
    async set(desired, signal) {
      signal.throwIfAborted();
      const isOurs = isDriven(desired.strategy) || carriesOwn("kubernetes", desired.strategy);
      if (!desired.deletedAt && !isOurs)
        throw new TerminalError(`this version has no driver for ${describeStrategy(desired.strategy)}`);
      await seen(signal);
      const work: Work = { calls, view, signal, changes: [], problems: [], detailOf };
      const until = performance.now() + passMs;
      const isLate = () => work.changes.length > 0 && performance.now() >= until;
      let isUnfinished = false;
      try {
        if (desired.deletedAt) await removeAll(desired.id, work);
        else isUnfinished = !(await applyDesired(desired, pick(desired), work, { isLate, now: now() }));
      } catch (error) {
        throw isOutside(error) ? explain(error, "change Services") : error;
      }
      return { changes: work.changes, problems: work.problems, ...(isUnfinished ? { isUnfinished } : {}) };
    },

    async listInstances(ref, signal) {
      await seen(signal);
      return pick(ref).instances.map(toObserved);
    },

    async observe(ref, signal) {
      await seen(signal);
      const { instances, surplus } = pick(ref);
      const observe = observer(instances, view, now());
      return {
        loadBalancers: inOrder(view.servicesOf(exposureLabel, ref.id)).flatMap((service) => {
          const id = service.labels[loadBalancerLabel];
          return id ? [observe(id, service)] : [];
        }),
        instances: instances.map(toObserved),
        ...(surplus > 0 ? { surplus } : {}),
      };
    },
  };
}

function toObserved({ name, ready, pod }: Picked["instances"][number]): ObservedInstance {
  return { name, ready, ...(pod ? { place: placeOf(pod) } : {}) };
}

function placeOf({ name, nodeName, addresses }: Pod): InstancePlace {
  return { pod: name, node: nodeName || null, addresses };
}

function inOrder(services: readonly Service[]): Service[] {
  return [...services].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The apiserver refused, or the connection failed; anything else is a bug. */
function isOutside(error: unknown): boolean {
  return error instanceof KubernetesError || (error instanceof Error && "code" in error);
}

/** applyDesired returns whether everything is created; the rest is left for the next pass. */
async function applyDesired(
  desired: DesiredExposure,
  picked: Picked,
  work: Work,
  { isLate, now }: { isLate: () => boolean; now: Date },
): Promise<boolean> {
  const { view, signal } = work;
  await setMarks(desired, picked.marks, work);
  const workload = view.workloadOf(desired);
  // Load balancers on Fairlead's agents need no Service; their pods are marked too.
  const wanted = desired.loadBalancers.filter((one) => !one.deletedAt && !carriesOwn("kubernetes", desired.strategy));
  const there = view.servicesOf(exposureLabel, desired.id);
  const setService = serviceSetter(desired, workload, picked.instances, there, work);
  const kept = new Set<string>();
  let isWhole = true;
  await each(wanted, signal, async (loadBalancer) => {
    if (isLate()) {
      isWhole = false;
      return;
    }
    const name = await setService(loadBalancer);
    if (name !== null) kept.add(`${desired.workload.namespace}/${name}`);
  });
  // Surplus Services are known once all wanted ones were checked.
  if (!isWhole) return false;
  await setEndpointSlices(desired, wanted, picked.instances, work);
  // A Service that blocks an incomplete spec may be the one it replaces: it stays.
  const isWanted = new Set(wanted.map((one) => one.id));
  const draining = drainingOf(desired, picked.instances, now);
  const surplus = there.filter(
    (service) =>
      !kept.has(`${service.namespace}/${service.name}`) &&
      !isProblem(service.labels, isWanted, work) &&
      !draining.has(service.labels[loadBalancerLabel] ?? ""),
  );
  await removeServices(surplus, work);
  return true;
}

/** Clients may still be connected to a running instance through a Service that will be removed. */
function drainingOf(desired: DesiredExposure, instances: Picked["instances"], now: Date): ReadonlySet<string> {
  const names = new Set(instances.map(({ name }) => name));
  const draining = desired.loadBalancers.filter(
    ({ deletedAt, instance }) => deletedAt && names.has(instance ?? "") && now < drainedAt(desired.strategy, deletedAt),
  );
  return new Set(draining.map(({ id }) => id));
}

function isProblem(labels: Record<string, string>, wanted: ReadonlySet<string>, { problems }: Work): boolean {
  const id = labels[loadBalancerLabel] ?? "";
  return wanted.has(id) && problems.some((problem) => problem.loadBalancerId === id);
}

async function removeAll(exposureId: string, work: Work): Promise<void> {
  const { view } = work;
  await removeServices(view.servicesOf(exposureLabel, exposureId), work);
  const label = instanceLabel(exposureId);
  const marked = [...view.pods.items.values()].filter((pod) => pod.labels[label] !== undefined && !pod.terminating);
  await setMarks(
    { id: exposureId },
    marked.map((pod) => ({ pod, instance: null })),
    work,
  );
}

/** Our endpoints are removed with their Service, which owns them. */
async function removeServices(services: ReturnType<Work["view"]["servicesOf"]>, work: Work): Promise<void> {
  const { calls, view, signal, changes } = work;
  // A terminating Service waits for its load balancer controller.
  const removable = services.filter((service) => !service.terminating && service.labels[managedBy] === us);
  await each(removable, signal, async ({ namespace, name, uid }) => {
    const { wasThere, left } = await calls.removeService({ namespace, name, uid }, signal);
    if (left) view.services.absorb(left);
    else view.services.remove({ namespace, name, uid });
    if (wasThere) changes.push({ message: `removed the Service ${namespace}/${name}` });
  });
}
