import type { Tx } from "@fairlead/db";
import type { DesiredExposure, DesiredLoadBalancer } from "@fairlead/domain/exposure";
import { reachInstance } from "@fairlead/domain/instance";
import { backendTimesOf, planBackends, type WantedBackend } from "@fairlead/domain/load-balancer";
import {
  dropBackends,
  type ExposedInstance,
  type PlacedBackend,
  selectWantedBackends,
  writeBackends,
} from "./backends.sql.ts";
import type { Terms } from "./terms.ts";

type Set = { nextAt: Date | null; leftOut: number };

export type BackendInstance = Pick<ExposedInstance, "name" | "nodeName" | "addresses" | "ready" | "weight">;

/**
 * Behind returns the instances behind a balancer; null where they are unknown now, and the backends stay as they were.
 */
export type Behind = (balancer: DesiredLoadBalancer) => readonly BackendInstance[] | null;

/**
 * setBackends makes what is behind each balancer equal to its plan, and returns when time alone changes that. A
 * balancer that is being removed gets no backends.
 */
export async function setBackends(
  tx: Tx,
  desired: DesiredExposure,
  behind: Behind,
  { now, times }: Pick<Terms, "now" | "times">,
): Promise<Set> {
  const stored = Map.groupBy(await selectWantedBackends(tx, desired.id), (each) => each.loadBalancerId);
  const dropped: PlacedBackend[] = [];
  const written: PlacedBackend[] = [];
  let nextAt: Date | null = null;
  let leftOut = 0;
  for (const balancer of desired.loadBalancers) {
    const before = stored.get(balancer.id) ?? [];
    const exposed = balancer.deletedAt ? [] : (behind(balancer) ?? servingInstances(before));
    const instances = exposed.flatMap(({ addresses, ...instance }) => {
      const { strategy, cluster } = desired;
      const address = reachInstance({ strategy, cluster: balancer.elsewhere ?? cluster }, balancer.address, addresses);
      return address === undefined ? [] : [{ ...instance, address }];
    });
    const isDeleted = (desired.deletedAt ?? balancer.deletedAt) !== null;
    const own = backendTimesOf(desired.strategy, times, isDeleted);
    const plan = planBackends(before, instances, desired.ports, now, own);
    const known = new Set(before.map(spell));
    const kept = new Set(plan.backends.map(placeOf));
    dropped.push(...before.filter((each) => !kept.has(placeOf(each))));
    const others = plan.backends.filter((each) => !known.has(spell(each)));
    written.push(...others.map((each) => ({ ...each, loadBalancerId: balancer.id })));
    if (plan.nextAt && (!nextAt || plan.nextAt < nextAt)) nextAt = plan.nextAt;
    leftOut += plan.leftOut;
  }
  await dropBackends(tx, dropped);
  await writeBackends(tx, written, now);
  return { nextAt, leftOut };
}

/** servingInstances returns the instances that already take new connections. */
function servingInstances(backends: readonly WantedBackend[]): BackendInstance[] {
  return backends
    .filter((each) => each.state !== "draining")
    .map(({ instance, nodeName = "", address, weight }) => ({
      ...{ name: instance, nodeName, addresses: [address], ready: true, weight },
    }));
}

function placeOf({ protocol, address, port }: WantedBackend): string {
  return `${protocol} ${address} ${port}`;
}

function spell(backend: WantedBackend): string {
  return `${placeOf(backend)} ${backend.instance} ${backend.weight} ${backend.state} ${backend.stateSince.getTime()} ${backend.returns === true} ${backend.nodeName ?? ""}`;
}
