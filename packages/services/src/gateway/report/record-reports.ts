import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { type FeedEntry, toEvent } from "@fairlead/domain/event";
import { appendFeed } from "../../control/append-feed.sql.ts";
import { recordDampedEvents } from "../../control/record-damped-event.ts";
import { insertSamples } from "../../series/insert-samples.sql.ts";
import type { Partitions } from "../../series/partitions.sql.ts";
import type { SeriesIds } from "../../series/series-ids.sql.ts";
import { type Held, hasStrayed, recoverStrayed } from "../config/strayed-agents.sql.ts";
import type { AgentIdentity } from "../identity/identities.sql.ts";
import type { CheckedReport } from "./check-report.ts";
import { type Advance, advanceStatus } from "./node/advance-status.ts";
import { nodeFigures } from "./node/node-figures.ts";
import { lockStatuses, type StatusWrite, type StoredStatus, writeStatuses } from "./node/node-status.sql.ts";
import { recordAgentEvents } from "./node/record-agent-events.ts";
import { type News, recordObservations } from "./record-observations.ts";
import { recordTransitions } from "./routing/bgp-transitions.sql.ts";
import { recordUpdates } from "./routing/route-updates.sql.ts";
import { toSamples } from "./to-samples.ts";

export type ReceivedReport = { agent: AgentIdentity; report: CheckedReport };
export type ReportOutcome = { newestRevision: number; rejectedPoints: number };
/** State that a process which stores reports keeps in memory between batches. */
export type ReportStore = { db: Db; partitions: Partitions; seriesIds: SeriesIds };

/**
 * recordReports stores reports of many agents in one transaction and returns their outcomes in order. All or nothing:
 * when it fails, each may be retried. Repeating a report that was stored changes nothing.
 */
export async function recordReports(store: ReportStore, received: readonly ReceivedReport[]): Promise<ReportOutcome[]> {
  const { samples, refused } = await toSamples(store, received);
  await store.partitions.ensureFor(store.db, "raw", samples.atMs);
  return inTransaction(store.db, async (tx) => {
    const agentIds = [...new Set(received.map(({ agent }) => agent.agentId))];
    const { now, statuses } = await lockStatuses(tx, agentIds);
    const { writes, advances } = advanceAll(received, statuses, now);
    await writeStatuses(tx, writes);
    const leftOut = new Map(received.map(({ report }, index) => [report, refused[index]]));
    const news = advances.map(({ agent, report, advance: { came, changed } }): News => {
      const { foreign = null, late = new Set<string>() } = leftOut.get(report) ?? {};
      return { agent, report, came, changed, foreign, late };
    });
    await recordObservations(tx, news, now);
    await insertSamples(tx, samples, now);
    await notify(tx, advances, now);
    await recordAgentEvents(tx, news, now);
    await recoverStrayed(tx, strayedOf(writes, statuses));
    await recordTransitions(tx, advances);
    await recordUpdates(tx, advances);
    return received.map(({ agent, report }, index) => ({
      newestRevision: statuses.get(agent.agentId)?.revision ?? 0,
      rejectedPoints: report.rejectedPoints + (refused[index]?.points ?? 0),
    }));
  });
}

type TaggedAdvance = ReceivedReport & { advance: Advance };

/** An agent may have several reports in a batch. Each is compared with the one before it; the last is stored. */
function advanceAll(
  received: readonly ReceivedReport[],
  stored: Map<string, StoredStatus>,
  now: Date,
): { writes: StatusWrite[]; advances: TaggedAdvance[] } {
  const writes = new Map<string, StatusWrite>();
  const advances: TaggedAdvance[] = [];
  const inOrder = [...received].sort((a, b) => a.report.sequence - b.report.sequence);
  for (const { agent, report } of inOrder) {
    const { agentId, nodeId, nodeName, roles } = agent;
    const known = stored.get(agentId);
    if (!known) continue; // deleted since it was admitted
    const { reportIntervalMs } = known;
    const earlier = writes.get(agentId);
    const advance = advanceStatus(earlier?.status ?? known.status, report, { nodeName, roles, reportIntervalMs }, now);
    if (!advance) continue;
    advances.push({ agent, report, advance });
    const facts = report.facts ?? earlier?.facts ?? null;
    writes.set(agentId, { agentId, nodeId, status: advance.status, figures: nodeFigures(report), facts });
  }
  return { writes: [...writes.values()], advances };
}

function strayedOf(writes: readonly StatusWrite[], stored: Map<string, StoredStatus>): Held[] {
  return writes.flatMap(({ agentId, nodeId, status }) => {
    const held = { agentId, nodeId, revision: status.observedRevision, digest: status.observedDigest };
    return hasStrayed(held, stored.get(agentId) ?? { revision: 0, digest: "" }) ? [held] : [];
  });
}

async function notify(tx: Tx, advances: readonly TaggedAdvance[], now: Date): Promise<void> {
  const news = advances.filter(({ advance }) => advance.changed);
  if (news.length === 0) return;
  const events = news.flatMap(({ agent, advance }) =>
    advance.events.map((event) => ({
      ...toEvent(event),
      organizationId: agent.organizationId,
      at: now,
      subjectKind: "node" as const,
      subjectId: agent.nodeId,
      subjectName: agent.nodeName,
      clusterId: agent.clusterId,
    })),
  );
  await recordDampedEvents(tx, events);
  const feed = Map.groupBy(news, ({ agent }) => agent.organizationId);
  for (const [organizationId, changed] of feed) await appendFeed(tx, organizationId, changed.map(toFeedEntry));
}

function toFeedEntry({ agent }: TaggedAdvance): FeedEntry {
  return { subjectKind: "node", subjectId: agent.nodeId, clusterId: agent.clusterId };
}
