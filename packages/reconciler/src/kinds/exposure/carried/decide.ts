import type { Tx } from "@fairlead/db";
import {
  adaptiveAgentCure,
  type DesiredExposure,
  type DesiredLoadBalancer,
  engineSpecOf,
  enginesFor,
  explainOmitted,
  namedBalancerOf,
  type ObservedInstance,
  type Omitted,
  packetEngines,
  serverNameOf,
  withinCluster,
} from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import { loadDesiredExposure } from "@fairlead/services";
import { gone, type Outcome } from "../../../outcome.ts";
import { findExposureHead } from "../exposure-head.sql.ts";
import type { ExposedInstance } from "./backends.sql.ts";
import { contribute } from "./contribute.ts";
import type { Decision } from "./decision.ts";
import { giveBalancers } from "./give-balancers.ts";
import { keepDecided } from "./keep-decided.ts";
import { place } from "./place.ts";
import { placeOnNodes } from "./place-on-nodes.ts";
import { seenInstances } from "./seen-instances.ts";
import { noteSession, setSession } from "./session.ts";
import { type BackendInstance, type Behind, setBackends } from "./set-backends.ts";
import { takeDown } from "./take-down.ts";
import type { Terms } from "./terms.ts";
import { setTicketKeys } from "./ticket-keys.ts";

/** decide places replicas and backends, and marks the configs that this changes. */
export async function decide(tx: Tx, id: string, terms: Terms): Promise<Decision | Outcome> {
  const found = await loadDesiredExposure(tx, id);
  const head = await findExposureHead(tx, id);
  if (!found || !head) return gone;
  if (found.deletedAt) return takeDown(tx, found, head, terms);
  if (head.pausedAt) return keepDecided(tx, found, head, terms.outside);
  await noteSession(tx, found, terms.now);
  const { desired, behind, single, instances, surplus, unnamed } = await decideInstances(tx, found, terms);
  const onNodes = desired.strategy.type === "adaptive" ? await placeOnNodes(tx, desired, terms.now) : desired;
  const { placed, unsuited, judgeInMs } = await place(tx, onNodes, terms.presentForMs);
  const { nextAt, leftOut } = await setBackends(tx, desired, behind, terms);
  await setSession(tx, found, terms.now);
  const ticketsInMs = await setTicketKeys(tx, found, { box: terms.keysBox, now: terms.now });
  const isNews = await contribute(tx, placed, head, terms.now);
  const { unseen } = terms.outside;
  const lack = (balancer: DesiredLoadBalancer) => {
    const cluster = balancer.elsewhere ?? placed.cluster;
    return lackOf(withinCluster(placed, cluster), unsuited.get(cluster.id) ?? "");
  };
  const omitted = single ? "" : explainOmitted(found.workload, { surplus, leftOut, unnamed });
  const waits = { nextAt, judgeInMs, ticketsInMs };
  return { placed, head, isPaused: false, isNews, lack, omitted, unseen, instances, single, ...waits };
}

type Instances = Pick<Decision, "single" | "instances"> &
  Pick<Omitted, "surplus" | "unnamed"> & { desired: DesiredExposure; behind: Behind };

/**
 * decideInstances assigns instances to balancers: all to a balancer for all, one to a balancer of its own; and lists
 * which are mapped.
 */
async function decideInstances(tx: Tx, found: DesiredExposure, { now, outside }: Terms): Promise<Instances> {
  const spec = instanceBalancerOf(found.strategy);
  const named = namedBalancerOf(found.strategy);
  const { rows, instances, byName, surplus } = await seenInstances(tx, found, outside);
  const all = { desired: found, single: null, surplus: 0, unnamed: [] };
  if (!spec && !named) return { ...all, behind: rowsBehind(found, rows), instances: null };
  if (!spec) {
    const { reached, unnamed } = splitByName(instances ?? [], named?.zone ?? null);
    const behind = () => instances && reached.flatMap(toBackends);
    return { ...all, behind, instances: byName, surplus, unnamed };
  }
  const { desired, ...given } = await giveBalancers(tx, found, spec, instances, now);
  return {
    desired,
    behind: ({ instance }) => byName && toBackends(byName.get(instance ?? "")),
    single: { surplus, ...given },
    instances: byName,
    surplus,
    unnamed: [],
  };
}

/** rowsBehind returns the instances of a balancer's own cluster. */
function rowsBehind({ cluster }: DesiredExposure, rows: readonly ExposedInstance[]): Behind {
  const byCluster = Map.groupBy(rows, (each) => each.clusterId);
  return ({ elsewhere }) => byCluster.get((elsewhere ?? cluster).id) ?? [];
}

/** splitByName separates the instances that have no valid name in the DNS zone. */
function splitByName(instances: readonly ObservedInstance[], zone: string | null) {
  const isNamed = ({ name }: ObservedInstance) => zone === null || serverNameOf(name, zone) !== null;
  const unnamed = instances.filter((each) => !isNamed(each)).map((each) => each.name);
  return { reached: instances.filter(isNamed), unnamed };
}

function toBackends(instance: ObservedInstance | undefined): BackendInstance[] {
  if (!instance?.place) return [];
  const { name, ready, place } = instance;
  return [{ name, nodeName: place.node ?? "", ready, addresses: place.addresses, weight: 1 }];
}

function lackOf({ strategy, ports, cluster, loadBalancers }: DesiredExposure, unsuited: string): string {
  const isByCost = strategy.type === "adaptive";
  const hasAgents = loadBalancers.some(({ replicas }) => replicas.some((each) => each.role === "adaptive"));
  if (isByCost && !hasAgents)
    return `no node of ${cluster.name} has an agent of the role adaptive. ${adaptiveAgentCure(cluster.kind, "cluster")}`;
  const engines = enginesFor(engineSpecOf(strategy, ports, cluster.kind));
  const which = engines.length < packetEngines.length ? ` that may run ${engines.join(" or ")}` : "";
  const beside = isByCost ? ", on a node that has an agent of the role adaptive too" : "";
  const sentences = [
    `each takes a live agent of the role balancer in ${cluster.name}${which}${beside}.`,
    ...(unsuited ? [unsuited] : []),
  ];
  return sentences.join(" ");
}
