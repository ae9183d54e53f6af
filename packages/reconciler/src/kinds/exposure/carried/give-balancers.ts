import type { Tx } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import type { DesiredExposure, DesiredLoadBalancer, ObservedInstance } from "@fairlead/domain/exposure";
import { type InstanceBalancer, planInstanceBalancers } from "@fairlead/domain/load-balancer";
import { fitBalancer, loadDesiredExposure } from "@fairlead/services";
import { applyInstancePlan } from "../instance-balancers.ts";
import { selectHolders } from "./holders.sql.ts";

export type Given = {
  desired: DesiredExposure;
  /** Why a balancer lacks something, one sentence each. */
  problems: ReadonlyMap<string, string>;
  /** A part of them was just created: agents that report meanwhile can't have it yet. */
  isFresh: boolean;
  /** When the next balancer has waited long enough for its instance, or the next ones get what they lack; null when none waits. */
  nextInMs: number | null;
};

/**
 * giveBalancers gives each instance a balancer with an address of the pool, and removes those whose instance stays
 * gone.
 */
export async function giveBalancers(
  tx: Tx,
  before: DesiredExposure,
  spec: InstanceBalancer,
  instances: readonly ObservedInstance[] | null,
  now: Date,
): Promise<Given> {
  const plan = instances === null ? null : planInstanceBalancers(before, instances, now);
  if (plan) await applyInstancePlan(tx, before, plan, now);
  const planned = await reload(tx, before);
  const { problems, isOther, isUnfinished } = await fit(tx, planned, spec, now);
  return {
    desired: isOther ? await reload(tx, planned) : planned,
    problems,
    isFresh: isOther,
    nextInMs: isUnfinished ? 0 : (plan?.nextInMs ?? null),
  };
}

/**
 * How many get what they lack in one pass: its transaction locks the pool, and thousands take a busy database minutes.
 */
const mostFitted = 250;

const noPool = "There is no pool to take its address from: change the exposure, and choose one.";
const gonePool = "The pool to take its address from is gone: change the exposure, and choose another.";

async function fit(tx: Tx, desired: DesiredExposure, { replicas, poolId }: InstanceBalancer, now: Date) {
  const { id: exposureId, organizationId, cluster } = desired;
  const target = { organizationId, clusterId: cluster.id, exposureId, now };
  const wanted = desired.loadBalancers.filter((each) => !each.deletedAt).sort(byInstance);
  const holders = poolId ? await selectHolders(tx, poolId, exposureId) : new Set<string>();
  const problems = new Map<string, string>();
  let isOther = false;
  let fitted = 0;
  let unaddressed = poolId ? "" : noPool;
  for (const balancer of wanted) {
    const isHeld = holders.has(balancer.id);
    if (isHeld && balancer.replicas.length === replicas) continue;
    // A balancer that has an address keeps it while there is no other.
    const fits = isHeld || unaddressed === "";
    if (fits && fitted++ === mostFitted) return { problems, isOther, isUnfinished: true };
    try {
      if (fits && (await fitBalancer(tx, target, balancer.id, { replicas, poolId }))) isOther = true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === "exhausted") unaddressed = error.message;
      else if (error.code === "not-found") unaddressed = gonePool;
      else throw error;
      // Its replica count is right by now, and one that had all before is unchanged.
      if (balancer.replicas.length !== replicas) isOther = true;
    }
    if (!isHeld && unaddressed !== "") problems.set(balancer.id, unaddressed);
  }
  return { problems, isOther, isUnfinished: false };
}

/** Numeric order, so that the second instance gets the second of the free addresses. */
function byInstance(a: DesiredLoadBalancer, b: DesiredLoadBalancer): number {
  return collator.compare(a.instance ?? "", b.instance ?? "");
}

const collator = new Intl.Collator("en", { numeric: true });

async function reload(tx: Tx, desired: DesiredExposure): Promise<DesiredExposure> {
  return (await loadDesiredExposure(tx, desired.id)) ?? desired;
}
