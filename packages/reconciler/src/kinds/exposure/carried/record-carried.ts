import type { Tx } from "@fairlead/db";
import {
  type DesiredExposure,
  type DesiredLoadBalancer,
  type ObservedExposure,
  type ObservedInstance,
  summarizeExposure,
} from "@fairlead/domain/exposure";
import { mapCarried } from "@fairlead/domain/instance";
import {
  type CarriedSummary,
  type LoadBalancerPhase,
  summarizeCarried,
  summarizeClusters,
  summarizeInstance,
} from "@fairlead/domain/load-balancer";
import { recordLoadBalancers, recordObservedExposure, replaceMappings } from "@fairlead/services";
import { graceMs } from "../../../presence.ts";
import type { Decision } from "./decision.ts";
import { selectPhases } from "./holders.sql.ts";
import { notifyStreams } from "./notify-streams.ts";
import { type Reported, readReported, writeHealth } from "./read-reported.sql.ts";
import { placingCondition } from "./session.ts";
import { sharesCondition } from "./shares-condition.ts";

type Summarized = { balancer: DesiredLoadBalancer; summary: CarriedSummary };

/** recordCarried writes the state of an exposure that our own agents carry, and notifies its watchers. */
export async function recordCarried(tx: Tx, decision: Decision, presentForMs: number, now: Date): Promise<void> {
  const { placed, head, isPaused, isNews, single } = decision;
  const reported = await readReported(tx, placed);
  const otherHealth = await writeHealth(tx, reported, now);
  const summaries = await summarize(tx, decision, reported);
  const findings = summaries.map(({ balancer: { id, address }, summary }) => {
    const { phase, message, replicasReady, backendsUp, backendsTotal } = summary;
    return { id, phase, message, address, replicasReady, backendsUp, backendsTotal };
  });
  const others = await recordLoadBalancers(tx, findings, now);
  const changed = findings.map((each) => each.id).filter((id) => others.has(id) || isNews || otherHealth);
  await recordMap(tx, decision, carriedCheck(placed, reported, presentForMs), now);
  await notifyStreams(tx, placed, changed);
  const observed = single ? summarizeSingle(decision, summaries) : summarizeSpan(placed, summaries);
  if (!observed) return;
  const { phase, message } = observed;
  const shares = await sharesCondition(tx, placed);
  const conditions = shares ? [...observed.conditions, shares] : observed.conditions;
  const generation = isPaused ? head.observedGeneration : placed.generation;
  await recordObservedExposure(
    tx,
    placed.id,
    { generation, phase, message, conditions, applied: true, loadBalancers: [] },
    now,
  );
}

async function summarize(tx: Tx, decision: Decision, reported: Reported): Promise<Summarized[]> {
  const { placed, head, lack, omitted, unseen, instances, single } = decision;
  const isSpread = placed.loadBalancers.some((each) => each.elsewhere);
  const phases = single || isSpread ? await selectPhases<LoadBalancerPhase>(tx, placed.id) : null;
  const replicas = Map.groupBy(reported.replicas, (each) => each.loadBalancerId);
  const backends = Map.groupBy(reported.backends, (each) => each.loadBalancerId);
  const placing = await placingCondition(tx, placed, reported);
  return placed.loadBalancers
    .filter((each) => !each.deletedAt)
    .map((balancer) => {
      const { id, address, instance } = balancer;
      const carried = { id, address, replicas: replicas.get(id) ?? [], backends: backends.get(id) ?? [] };
      const before = isSpread ? { phase: phases?.get(id) ?? ("pending" as const) } : head;
      const lacking = lack(balancer);
      if (!single)
        return { balancer, summary: summarizeCarried(carried, before, { lack: lacking, omitted, unseen, placing }) };
      const hindrance = {
        problem: single.problems.get(id) ?? "",
        isAway: instances !== null && instances.get(instance ?? "")?.place === undefined,
      };
      const beforeAlone = { phase: phases?.get(id) ?? ("pending" as const) };
      return { balancer, summary: summarizeInstance(carried, beforeAlone, { lack: lacking }, hindrance) };
    });
}

/** summarizeSpan is the state in all clusters; that of the only one, if there are no others. */
function summarizeSpan({ cluster }: DesiredExposure, summaries: readonly Summarized[]) {
  const [first] = summaries;
  if (!first || summaries.length === 1) return first?.summary;
  return summarizeClusters(
    summaries.map(({ balancer, summary }) => ({
      name: (balancer.elsewhere ?? cluster).name,
      standsBy: balancer.standsBy ?? false,
      summary,
    })),
  );
}

type IsCarried = (loadBalancerId: string, instance: ObservedInstance) => boolean;

/**
 * carriedCheck returns a check whether an instance is behind a balancer at each port on every replica that has the
 * address. Only reporting replicas count; after an absence of ours, one that could not report yet keeps its last
 * state. A replica that hasn't applied the change would still send clients to the instance's former place, as all do
 * while the exposure is paused.
 */
function carriedCheck({ ports }: DesiredExposure, { replicas, backends }: Reported, presentForMs: number): IsCarried {
  const counted = replicas.filter((each) => each.ready === true && (each.speaks || presentForMs < graceMs));
  const carrying = Map.groupBy(counted, (each) => each.loadBalancerId);
  const isTaken = ({ loadBalancerId, carriedBy }: Reported["backends"][number]) =>
    carrying.get(loadBalancerId)?.every((replica) => carriedBy.includes(replica.id)) ?? false;
  const open = backends.filter((each) => (each.state === "active" || each.state === "filling") && isTaken(each));
  const counts = new Map<string, number>();
  for (const { loadBalancerId, instance, address } of open) {
    const key = `${loadBalancerId} ${instance} ${address}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const ends = new Set(ports.map(({ port, targetPort = port, protocol }) => `${protocol} ${targetPort}`)).size;
  return (id, { name, place }) =>
    place?.addresses.some((address) => (counts.get(`${id} ${name} ${address}`) ?? 0) >= ends) ?? false;
}

/** Instances that are unknown now stay in the map as they were. */
async function recordMap(tx: Tx, { placed, instances }: Decision, isCarried: IsCarried, now: Date): Promise<void> {
  if (instances === null) return;
  const wanted = placed.loadBalancers.filter((each) => !each.deletedAt);
  const carried = wanted.flatMap((balancer) => {
    const behind = balancer.instance === null ? [...instances.values()] : [instances.get(balancer.instance)];
    return behind.flatMap((instance) =>
      instance ? [{ balancer, instance, isCarried: isCarried(balancer.id, instance) }] : [],
    );
  });
  const ids = wanted.map((each) => each.id);
  await replaceMappings(tx, placed, ids, mapCarried(placed, carried), now);
}

function summarizeSingle(
  { placed, unseen, single }: Decision,
  summaries: readonly Summarized[],
): Pick<ObservedExposure, "phase" | "message" | "conditions"> {
  const loadBalancers = summaries.map(({ balancer: { id, address }, summary: { phase, message } }) => ({
    ...{ id, address, phase, message: phase === "serving" ? "" : message },
    ...{ replicas: [], backends: [], mappings: [] },
  }));
  const observed = summarizeExposure(placed, { loadBalancers, instances: [], surplus: single?.surplus ?? 0 });
  const { phase, message } = observed;
  const conditions = [...observed.conditions];
  const [problem] = single?.problems.values() ?? [];
  if (problem !== undefined)
    conditions.push({ type: "Addressed", status: "false", reason: "AddressLacking", message: problem });
  if (unseen === "") return { phase, message, conditions };
  conditions.push({ type: "InstancesKnown", status: "false", reason: "InstancesUnknown", message: unseen });
  return { phase, message: loadBalancers.length > 0 ? `${message} ${unseen}` : unseen, conditions };
}
