import type { BgpSession } from "@fairlead/domain/routing";
import type { ServiceContext } from "../context.ts";

type Session = Omit<BgpSession, "trouble">;
type EventFound = { index: number; reason: string; message: string; at: Date };

/** Agents repeat the event of a continuing problem after ten minutes. */
const recentMs = 15 * 60_000;
/** Packets that a kernel drops before BGP sees them: such an event names a host, and may come from either end. */
const dropped = ["BgpPasswordWrong", "BgpTtlTooLow"].flatMap((reason) => [reason, `${reason}Flapping`]);
const notUp = ["BgpSessionNotUp", "BgpSessionNotUpFlapping"];

/**
 * explainDown adds the reason to each session that isn't up. One that never was up has no last error: its reason is in
 * the events of the agents at its two ends, and the one that drops the packets is often the other end.
 */
export async function explainDown<Row extends Session>(
  ctx: ServiceContext,
  sessions: readonly Row[],
): Promise<(Row & { trouble: string })[]> {
  const down = sessions.filter(({ state }) => state !== "established");
  const found = down.length > 0 ? await selectEvents(ctx, down) : [];
  const reasons = new Map(
    down.map((session, index) => [
      session.id,
      reasonOf(
        session,
        found.filter((each) => each.index === index),
      ),
    ]),
  );
  return sessions.map((session) => ({ ...session, trouble: reasons.get(session.id) ?? "" }));
}

function reasonOf({ isFull, lastError, establishedCount, stateSince }: Session, found: readonly EventFound[]): string {
  if (isFull) return "It offered more routes than it may.";
  const drops = found.find(
    ({ reason, at }) =>
      dropped.includes(reason) && (establishedCount === 0 || (stateSince !== null && at >= stateSince)),
  );
  if (drops) return drops.message;
  if (lastError) return lastError;
  return found.find(({ reason }) => notUp.includes(reason))?.message ?? "";
}

function selectEvents({ db, organizationId, now }: ServiceContext, down: readonly Session[]): Promise<EventFound[]> {
  const of = <T>(pick: (session: Session) => T) => down.map(pick);
  const since = new Date(now.getTime() - recentMs);
  return db.$queryRaw<EventFound[]>`
    SELECT down.index::int - 1 AS index, latest.reason, latest.message, latest.at
    FROM unnest(${of((each) => each.clusterId)}::text[], ${of((each) => each.nodeId)}::text[], ${of((each) => each.peerName)}::text[],
      ${of((each) => each.peerAddress)}::text[]) WITH ORDINALITY AS down (cluster_id, node_id, peer_name, peer_address, index)
    CROSS JOIN LATERAL (
      (SELECT e.reason, e.message, e.at FROM event e
        WHERE e.organization_id = ${organizationId} AND e.subject_kind = 'node' AND e.at > ${since} AND e.reason = ANY(${dropped}::text[])
          AND e.subject_id IN (down.node_id, (SELECT n.id FROM node n WHERE n.cluster_id = down.cluster_id AND n.name = down.peer_name))
        ORDER BY e.at DESC LIMIT 1)
      UNION ALL
      (SELECT e.reason, e.message, e.at FROM event e
        WHERE e.organization_id = ${organizationId} AND e.subject_kind = 'node' AND e.subject_id = down.node_id
          AND e.reason = ANY(${notUp}::text[]) AND strpos(e.message, ' with ' || down.peer_address || ' of AS ') > 0
        ORDER BY e.at DESC LIMIT 1)
    ) latest`;
}
