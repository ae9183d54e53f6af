import type { Tx } from "@fairlead/db";
import {
  type DesiredExposure,
  type DesiredLoadBalancer,
  isSix,
  planBackends,
  type WantedBackend,
} from "@fairlead/domain";
import { dropBackends, type ExposedInstance, selectWantedBackends, writeBackends } from "./backends.sql.ts";
import type { Terms } from "./decide.ts";

type Set = { nextAt: Date | null; leftOut: number };

/** setBackends makes what is behind each balancer equal to its plan for these instances, and says when time alone changes that. */
export async function setBackends(
  tx: Tx,
  desired: DesiredExposure,
  exposed: readonly ExposedInstance[],
  { now, times }: Pick<Terms, "now" | "times">,
): Promise<Set> {
  let nextAt: Date | null = null;
  let leftOut = 0;
  for (const balancer of desired.loadBalancers) {
    if (balancer.deletedAt) continue;
    const before = await selectWantedBackends(tx, balancer.id);
    const instances = exposed.flatMap(({ addresses, ...instance }) => {
      const address = reach(desired, balancer, addresses);
      return address === undefined ? [] : [{ ...instance, address }];
    });
    const plan = planBackends(before, instances, desired.ports, now, times);
    const known = new Set(before.map(spell));
    const kept = new Set(plan.backends.map(placeOf));
    await dropBackends(
      tx,
      balancer.id,
      before.filter((each) => !kept.has(placeOf(each))),
    );
    await writeBackends(
      tx,
      balancer.id,
      plan.backends.filter((each) => !known.has(spell(each))),
      now,
    );
    if (plan.nextAt && (!nextAt || plan.nextAt < nextAt)) nextAt = plan.nextAt;
    leftOut += plan.leftOut;
  }
  return { nextAt, leftOut };
}

/** reach is the address of an instance in its balancer's family. Only a proxy speaks to a backend in another than its clients do. */
function reach({ strategy }: DesiredExposure, { address }: DesiredLoadBalancer, of: readonly string[]) {
  if (address === null) return of[0];
  const same = of.find((each) => isSix(each) === isSix(address));
  return same ?? (strategy.type === "ecmp" && strategy.delivery === "proxy" ? of[0] : undefined);
}

function placeOf({ protocol, address, port }: WantedBackend): string {
  return `${protocol} ${address} ${port}`;
}

function spell(backend: WantedBackend): string {
  return `${placeOf(backend)} ${backend.instance} ${backend.weight} ${backend.state} ${backend.stateSince.getTime()}`;
}
