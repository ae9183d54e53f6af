import type { Tx } from "@fairlead/db";
import type { FeedEntry } from "@fairlead/domain/event";
import { bgpRoles } from "@fairlead/domain/node";
import { appendFeed } from "../../control/append-feed.sql.ts";
import { markClientPrefixes } from "../../control/mark-client-prefixes.sql.ts";
import { markManyDirty } from "../../control/mark-dirty.sql.ts";
import {
  selectAdaptive,
  selectAdaptiveNodes,
  selectCarryingNodes,
  selectConcernedNodes,
  selectLeaving,
  selectPeerNodes,
  selectPlacedOn,
  selectUnplaced,
} from "../config/placed-exposures.sql.ts";
import type { AgentIdentity } from "../identity/identities.sql.ts";
import { seesInstances } from "../identity/sees-instances.ts";
import { writeAdaptive } from "./adaptive/adaptive-status.sql.ts";
import { type AdaptiveChange, type AdaptiveNews, judgeAdaptive } from "./adaptive/judge-adaptive.ts";
import {
  type BackendChange,
  type BackendNews,
  planBackendReports,
  writeBackendReports,
} from "./backend/backend-status.sql.ts";
import { noteTaken } from "./backend/note-taken.sql.ts";
import type { BalancerReport } from "./balancer/balancer-report.ts";
import { loadBalancers, writeBackends, writeBalancers, writeReplicas } from "./balancer/balancer-status.sql.ts";
import { writeSamples } from "./balancer/client-sample.sql.ts";
import { type BalancerJudgement, judgeBalancer } from "./balancer/judge-balancer.ts";
import { deleteSessions, writeSessions } from "./balancer/session-status.sql.ts";
import type { CheckedReport } from "./check-report.ts";
import { type InventoryChange, planInventory, writeInventory } from "./inventory/inventory.sql.ts";
import { type EchoWrite, findMoved, selectNeighbours, writeEchoes } from "./node/echo.sql.ts";
import { type BgpWrite, selectMoved, writeBgp } from "./routing/bgp-status.sql.ts";

/** News is a report with changes about its agent. */
export type News = {
  agent: AgentIdentity;
  report: CheckedReport;
  /** It is the first, or the first after a silence. */
  came: boolean;
  /** Pages that show the agent should reload. */
  changed: boolean;
  /** A load balancer that its figures are about although the agent never had a replica of it. */
  foreign: string | null;
  /** Load balancers that it lost before some of its figures of them were measured. */
  late: ReadonlySet<string>;
};

/** The roles whose agents carry parts of exposures. */
const carrying: ReadonlySet<string> = new Set(["balancer", "backend", "adaptive"]);

type Judged = { agent: AgentIdentity; balancer: BalancerReport; judgement: BalancerJudgement };

/**
 * recordObservations stores what agents report about instances and the balancers they carry, and marks the objects that
 * this concerns. Tasks are marked before anything is written: the reconciler locks in the same order.
 */
export async function recordObservations(tx: Tx, news: readonly News[], now: Date): Promise<void> {
  const inventories: InventoryChange[] = [];
  const seeing = newest(news, ({ agent, report }) => report.inventory !== null && seesInstances(agent));
  for (const { agent, report } of seeing)
    inventories.push(await planInventory(tx, { agent, instances: report.inventory ?? [] }));
  const balancers = await judgeAll(tx, news);
  const adaptive = await judgeAdaptive(tx, adaptiveOf(news));
  const judgements = [...balancers, ...adaptive].map((each) => each.judgement);
  const reporting = bgpOf(news);
  const echoes = await findMoved(tx, echoesOf(news));
  const beside = await planBackendReports(tx, besideOf(news));
  await markAffected(tx, news, { inventories, balancers, adaptive, beside, reporting, echoes });
  await noteTaken(
    tx,
    beside.flatMap((each) => each.takenIds),
    now,
  );
  for (const each of inventories) await writeInventory(tx, each, now);
  await writeBalancers(
    tx,
    balancers.map(({ agent, balancer }) => ({ agentId: agent.agentId, balancer })),
    now,
  );
  await writeReplicas(
    tx,
    judgements.flatMap((each) => each.replicas),
    now,
  );
  await writeBackends(
    tx,
    judgements.flatMap((each) => each.backends),
    now,
  );
  await writeAdaptive(tx, adaptive, now);
  await writeSamples(
    tx,
    balancers.flatMap(({ judgement }) => judgement.samples),
    now,
  );
  await writeSessions(
    tx,
    balancers.flatMap(({ judgement }) => judgement.sessions),
    now,
  );
  await deleteSessions(
    tx,
    balancers.flatMap(({ judgement }) => judgement.withoutSession),
  );
  await writeBackendReports(tx, beside, now);
  await writeEchoes(tx, echoes);
  const differ = await writeBgp(tx, reporting, now);
  const seen = reporting.filter(({ agent }) => differ.has(agent.agentId)).map(({ agent }) => agent);
  await notifyStreams(tx, { inventories, balancers, adaptive, beside, speakers: seen });
}

/** An agent may have several reports in a batch; the last one with content counts. */
function newest(news: readonly News[], matches: (each: News) => boolean): News[] {
  return [...new Map(news.filter(matches).map((each) => [each.agent.agentId, each])).values()];
}

/** Only agents with such a role may report BGP. */
function bgpOf(news: readonly News[]): BgpWrite[] {
  const reporting = newest(
    news,
    ({ agent, report }) => report.bgp !== null && agent.roles.some((role) => bgpRoles.includes(role)),
  );
  return reporting.flatMap(({ agent, report: { bgp } }) => (bgp ? [{ agent, bgp }] : []));
}

function echoesOf(news: readonly News[]): EchoWrite[] {
  const reporting = newest(news, ({ agent, report }) => report.echoAddress !== null && agent.roles.includes("node"));
  return reporting.map(({ agent: { agentId, nodeId, clusterId }, report }) => {
    return { agentId, nodeId, clusterId, address: report.echoAddress ?? "" };
  });
}

async function judgeAll(tx: Tx, news: readonly News[]): Promise<Judged[]> {
  // A report without a balancer part could not read it: the last one stays valid.
  const reporting = newest(news, ({ agent, report }) => report.balancer !== null && agent.roles.includes("balancer"));
  if (reporting.length === 0) return [];
  const stored = await loadBalancers(
    tx,
    reporting.map(({ agent }) => agent.agentId),
    "balancer",
  );
  return reporting.flatMap(({ agent, report: { balancer } }) => {
    const known = stored.get(agent.agentId);
    return known && balancer ? [{ agent, balancer, judgement: judgeBalancer(known, balancer, agent.nodeId) }] : [];
  });
}

/** Sorted, so that two batches which write the same rows lock them in the same order. */
function besideOf(news: readonly News[]): BackendNews[] {
  const reporting = newest(news, ({ agent, report }) => report.backend !== null && agent.roles.includes("backend"));
  reporting.sort((a, b) => (a.agent.agentId < b.agent.agentId ? -1 : 1));
  return reporting.flatMap(({ agent, report: { backend } }) => (backend ? [{ agent, backend }] : []));
}

function adaptiveOf(news: readonly News[]): AdaptiveNews[] {
  const reporting = newest(news, ({ agent, report }) => report.adaptive !== null && agent.roles.includes("adaptive"));
  return reporting.flatMap(({ agent, report: { adaptive } }) => (adaptive ? [{ agent, adaptive }] : []));
}

type Affecting = {
  inventories: readonly InventoryChange[];
  balancers: readonly Judged[];
  adaptive: readonly AdaptiveChange[];
  beside: readonly BackendChange[];
  reporting: readonly BgpWrite[];
  echoes: readonly EchoWrite[];
};

async function markAffected(
  tx: Tx,
  news: readonly News[],
  { inventories, balancers, adaptive, beside, reporting, echoes }: Affecting,
): Promise<void> {
  const carriers = news.filter(({ agent }) => agent.roles.some((role) => carrying.has(role)));
  const came = carriers.filter((each) => each.came).map(({ agent }) => agent);
  const changed = carriers.filter((each) => each.changed).map(({ agent }) => agent.agentId);
  const judgements = [...balancers, ...adaptive].map((each) => each.judgement);
  const letGoOf = judgements.flatMap((each) => each.letGoOf);
  const isAdaptive = ({ roles }: AgentIdentity) => roles.includes("adaptive");
  const meshes = adaptive.filter((each) => each.hasMoved).map(({ agent }) => agent.clusterId);
  const inventoried = inventories.filter((each) => each.changed.length + each.gone.length > 0);
  await markClientPrefixes(tx, { changed: inventoried.map(({ agent }) => agent.clusterId), moved: meshes });
  await markManyDirty(
    tx,
    "exposure",
    inventories.flatMap((each) => each.exposureIds),
    { urgent: true, patient: true },
  );
  const others = [
    ...judgements.flatMap((each) => each.exposureIds),
    ...(await selectPlacedOn(
      tx,
      came.map((agent) => agent.agentId),
    )),
    ...(await selectUnplaced(
      tx,
      came.map((agent) => agent.clusterId),
    )),
    ...(await selectAdaptive(
      tx,
      came.filter(isAdaptive).map((agent) => agent.clusterId),
    )),
    ...(await selectLeaving(tx, changed, letGoOf)),
    ...beside.flatMap((each) => each.exposureIds),
  ];
  await markManyDirty(tx, "exposure", others, { patient: true });
  const moved = balancers.filter(({ judgement }) => judgement.flowAddressChanged).map(({ agent }) => agent.agentId);
  // A speaker's config depends on what the balancer at its address carries.
  const apart = balancers.filter(({ judgement }) => judgement.addressChanged).map(({ agent }) => agent.nodeId);
  const nodes = [...(await selectPeerNodes(tx, moved)), ...(await selectMoved(tx, reporting)), ...apart];
  // Balancers need to know where backends take connections, and backends where replicas receive messages.
  const taking = beside.flatMap((each) => each.loadBalancerIds);
  const sessionsMoved = balancers.flatMap(({ judgement }) => judgement.sessionsMoved);
  nodes.push(...(await selectCarryingNodes(tx, taking)), ...(await selectConcernedNodes(tx, sessionsMoved)));
  nodes.push(...(await selectAdaptiveNodes(tx, meshes)));
  const back = news.filter(({ agent, came }) => came && agent.roles.includes("node")).map(({ agent }) => agent);
  // Both the moved node and those that measure it. One that is back may have lost its place among them.
  for (const { nodeId, clusterId } of [...echoes, ...back])
    nodes.push(nodeId, ...(await selectNeighbours(tx, { nodeId, clusterId })).map((each) => each.nodeId));
  await markManyDirty(tx, "node", nodes, { patient: true });
}

type Seen = Omit<Affecting, "reporting" | "echoes"> & { speakers: readonly AgentIdentity[] };

async function notifyStreams(tx: Tx, { inventories, balancers, adaptive, beside, speakers }: Seen): Promise<void> {
  const entries: (FeedEntry & { organizationId: string })[] = [];
  for (const { agent, changed, gone } of inventories) {
    const { organizationId, clusterId } = agent;
    if (changed.length + gone.length > 0)
      entries.push({ organizationId, clusterId, subjectKind: "cluster", subjectId: clusterId });
  }
  const carried = [
    ...balancers.map(({ balancer: { services }, ...each }) => ({ ...each, services })),
    ...adaptive.map(({ adaptive: { services }, ...each }) => ({ ...each, services })),
  ];
  for (const { agent, services, judgement } of carried) {
    if (!judgement.looksDifferent) continue;
    const { organizationId, clusterId, nodeId } = agent;
    entries.push({ organizationId, clusterId, subjectKind: "node", subjectId: nodeId });
    for (const subjectId of new Set(services.map((each) => each.loadBalancerId)))
      entries.push({ organizationId, clusterId, subjectKind: "load-balancer", subjectId });
  }
  for (const { agent, exposureIds, looksDifferent } of beside) {
    if (!looksDifferent) continue;
    const { organizationId, clusterId, nodeId } = agent;
    entries.push({ organizationId, clusterId, subjectKind: "node", subjectId: nodeId });
    for (const subjectId of exposureIds)
      entries.push({ organizationId, clusterId, subjectKind: "exposure", subjectId });
  }
  for (const { organizationId, clusterId, nodeId } of speakers) {
    entries.push({ organizationId, clusterId, subjectKind: "node", subjectId: nodeId });
  }
  for (const [organizationId, of] of Map.groupBy(entries, (each) => each.organizationId))
    await appendFeed(tx, organizationId, of);
}
