import type { Tx } from "@fairlead/db";
import {
  type CarriedSummary,
  type DesiredLoadBalancer,
  type LoadBalancerPhase,
  mapCarried,
  type ObservedExposure,
  summarizeCarried,
  summarizeExposure,
  summarizeInstance,
} from "@fairlead/domain";
import { recordLoadBalancer, recordObservedExposure, replaceMappings } from "@fairlead/services";
import { graceMs } from "../../../presence.ts";
import type { Decision } from "./decide.ts";
import { selectPhases } from "./holders.sql.ts";
import { readSaid, type Said, writeHealth } from "./read-said.sql.ts";
import { tellStreams } from "./tell-streams.ts";

type Stand = { balancer: DesiredLoadBalancer; summary: CarriedSummary };

/** recordCarried writes how an exposure stands that our own agents carry: whole, and for whom it concerns. */
export async function recordCarried(tx: Tx, decision: Decision, presentForMs: number, now: Date): Promise<void> {
  const { placed, isNews, single } = decision;
  const said = await readSaid(tx, placed);
  const otherHealth = await writeHealth(tx, said, now);
  const stands = await summarize(tx, decision, said);
  const changed: string[] = [];
  for (const { balancer, summary } of stands) {
    const { id, address } = balancer;
    const { phase, message, replicasReady, backendsUp, backendsTotal } = summary;
    const status = { phase, message, address, replicasReady, backendsUp, backendsTotal };
    const looksDifferent = await recordLoadBalancer(tx, id, status, now);
    if (looksDifferent || isNews || otherHealth) changed.push(id);
  }
  await recordMap(tx, decision, carryingBalancers(said, presentForMs), now);
  await tellStreams(tx, placed, changed);
  const observed = single ? summarizeSingle(decision, stands) : stands[0]?.summary;
  if (!observed) return;
  const { phase, message, conditions } = observed;
  const { generation } = placed;
  await recordObservedExposure(
    tx,
    placed.id,
    { generation, phase, message, conditions, applied: true, loadBalancers: [] },
    now,
  );
}

async function summarize(tx: Tx, decision: Decision, said: Said): Promise<Stand[]> {
  const { placed, standing, lack, unseen, instances, single } = decision;
  const phases = single ? await selectPhases<LoadBalancerPhase>(tx, placed.id) : null;
  const replicas = Map.groupBy(said.replicas, (each) => each.loadBalancerId);
  const backends = Map.groupBy(said.backends, (each) => each.loadBalancerId);
  return placed.loadBalancers
    .filter((each) => !each.deletedAt)
    .map((balancer) => {
      const { id, address, instance } = balancer;
      const carried = { id, address, replicas: replicas.get(id) ?? [], backends: backends.get(id) ?? [] };
      if (!single) return { balancer, summary: summarizeCarried(carried, standing, { lack, unseen }) };
      const hindrance = {
        problem: single.problems.get(id) ?? "",
        isAway: instances !== null && instances.get(instance ?? "")?.place === undefined,
      };
      const before = { phase: phases?.get(id) ?? ("pending" as const) };
      return { balancer, summary: summarizeInstance(carried, before, { lack }, hindrance) };
    });
}

/** carryingBalancers are those that a replica carries whose agent can be counted on: one that we could not hear yet is believed. */
function carryingBalancers({ replicas }: Said, presentForMs: number): ReadonlySet<string> {
  const carrying = replicas.filter((each) => each.ready === true && (each.speaks || presentForMs < graceMs));
  return new Set(carrying.map((each) => each.loadBalancerId));
}

/** What is not known now stays in the map as it was. */
async function recordMap(
  tx: Tx,
  { placed, instances }: Decision,
  carrying: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  if (instances === null) return;
  const wanted = placed.loadBalancers.filter((each) => !each.deletedAt);
  const carried = wanted.flatMap((balancer) => {
    const behind = balancer.instance === null ? [...instances.values()] : [instances.get(balancer.instance)];
    const isCarried = carrying.has(balancer.id);
    return behind.flatMap((instance) => (instance ? [{ balancer, instance, isCarried }] : []));
  });
  const ids = wanted.map((each) => each.id);
  await replaceMappings(tx, placed, ids, mapCarried(placed, carried), now);
}

function summarizeSingle(
  { placed, unseen, single }: Decision,
  stands: readonly Stand[],
): Pick<ObservedExposure, "phase" | "message" | "conditions"> {
  const loadBalancers = stands.map(({ balancer: { id, address }, summary: { phase, message } }) => ({
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
