import { type DesiredExposure, describeStrategy, type ExposureRef, isDriven } from "@fairlead/domain";
import type { ExposureDriver } from "../exposure-driver.ts";
import { TerminalError } from "../terminal-error.ts";
import type { KubernetesCluster } from "./clusters.ts";
import { exposureLabel, instanceLabel, loadBalancerLabel, managedBy, us } from "./marks.ts";
import { observeLoadBalancer } from "./observe.ts";
import { type Picked, pickInstances } from "./pick-instances.ts";
import { setEndpointSlices, setMarks, setService, type Work } from "./set-objects.ts";
import { each, patiently } from "./write.ts";

const wholeMs = 20_000;

/** kubernetesDriver makes the exposures of one cluster from Services of its own. It reads a copy that watches keep. */
export function kubernetesDriver({ name, api, view }: KubernetesCluster): ExposureDriver {
  /** Nothing may be decided by half a picture: what isn't seen would be made again, or removed. */
  async function seen(signal: AbortSignal): Promise<void> {
    if (view.isWhole()) return;
    const late = AbortSignal.timeout(wholeMs);
    await view.whole(AbortSignal.any([signal, late])).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new Error(`its apiserver has not told yet what is in ${name}`);
    });
  }

  const pick = (ref: ExposureRef): Picked => pickInstances(ref, view.workloadOf(ref), view.podsOf(ref));

  return {
    async set(desired, signal) {
      signal.throwIfAborted();
      if (!desired.deletedAt && !isDriven(desired.strategy))
        throw new TerminalError(`this version makes no ${describeStrategy(desired.strategy)} in Kubernetes clusters`);
      await seen(signal);
      const work: Work = { api, view, signal, changes: [], problems: [] };
      if (desired.deletedAt) await removeAll(desired.id, work);
      else await makeWhole(desired, pick(desired), work);
      return { changes: work.changes, problems: work.problems };
    },

    async observe(ref, signal) {
      await seen(signal);
      const { instances } = pick(ref);
      const services = view.servicesOf(exposureLabel, ref.id);
      return {
        loadBalancers: services.flatMap((service) => {
          const id = service.labels[loadBalancerLabel];
          return id ? [observeLoadBalancer(id, service, instances, view)] : [];
        }),
        instances: instances.map(({ name, ready }) => ({ name, ready })),
      };
    },
  };
}

async function makeWhole(desired: DesiredExposure, picked: Picked, work: Work): Promise<void> {
  const { view, signal } = work;
  await setMarks(desired, picked.marks, work);
  const workload = view.workloadOf(desired);
  const wanted = desired.loadBalancers.filter((one) => !one.deletedAt);
  const there = view.servicesOf(exposureLabel, desired.id);
  const kept = new Set<string>();
  await each(wanted, signal, async (loadBalancer) => {
    const name = await setService(desired, loadBalancer, workload, picked.instances, work);
    if (name !== null) kept.add(`${desired.workload.namespace}/${name}`);
  });
  await setEndpointSlices(desired, wanted, picked.instances, work);
  // What stands in the way of a wish that is not made yet may be what it replaces: it stays.
  const isWanted = new Set(wanted.map((one) => one.id));
  const surplus = there.filter(
    (service) => !kept.has(`${service.namespace}/${service.name}`) && !isProblem(service.labels, isWanted, work),
  );
  await removeServices(surplus, work);
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

/** Endpoints of ours go with their Service: it owns them. */
async function removeServices(services: ReturnType<Work["view"]["servicesOf"]>, work: Work): Promise<void> {
  const { api, view, signal, changes } = work;
  // One that is on its way out waits for whoever carries it.
  const asked = services.filter((service) => !service.terminating && service.labels[managedBy] === us);
  await each(asked, signal, async ({ namespace, name, uid }) => {
    const path = `/api/v1/namespaces/${namespace}/services/${name}`;
    const { wasThere, left } = await patiently(signal, () => api.remove(path, uid, { signal }));
    if (left) view.services.absorb(left);
    else view.services.forget({ namespace, name, uid });
    if (wasThere) changes.push({ message: `removed the Service ${namespace}/${name}` });
  });
}
