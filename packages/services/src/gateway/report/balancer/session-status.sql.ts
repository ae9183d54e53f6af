import type { Tx } from "@fairlead/db";
import type { ReportedSession } from "./session-report.ts";

export type SessionWrite = ReportedSession & { replicaId: string };

/** writeSessions stores how replicas place connections by TLS session, and what they learned of their backends, where that is new. */
export async function writeSessions(tx: Tx, written: readonly SessionWrite[], now: Date): Promise<void> {
  if (written.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO replica_session AS kept (replica_id, problem, fallback, address, ticket_revision, observed_at)
    SELECT r.id, reported.problem, reported.fallback, reported.address, reported.ticket_revision, ${now}::timestamptz FROM unnest(
      ${written.map((each) => each.replicaId)}::text[], ${written.map((each) => each.problem)}::text[],
      ${written.map((each) => each.fallback ?? "")}::text[],
      ${written.map((each) => each.address)}::text[], ${written.map((each) => each.ticketRevision)}::int[])
      AS reported (id, problem, fallback, address, ticket_revision)
    JOIN replica r ON r.id = reported.id ORDER BY r.id
    ON CONFLICT (replica_id) DO UPDATE SET problem = excluded.problem, fallback = excluded.fallback, address = excluded.address,
      ticket_revision = excluded.ticket_revision, observed_at = excluded.observed_at
    WHERE (kept.problem, kept.fallback, kept.address, kept.ticket_revision)
      IS DISTINCT FROM (excluded.problem, excluded.fallback, excluded.address, excluded.ticket_revision)`;
  const backends = written.flatMap(({ replicaId, backends }) => backends.map((each) => ({ ...each, replicaId })));
  if (backends.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO backend_session AS kept (backend_id, replica_id, takes, kind, message, names, observed_at)
    SELECT b.id, r.id, reported.takes, reported.kind, reported.message, reported.names, ${now}::timestamptz FROM unnest(
      ${backends.map((each) => each.id)}::text[], ${backends.map((each) => each.replicaId)}::text[],
      ${backends.map((each) => each.takes)}::boolean[], ${backends.map((each) => each.tickets)}::text[],
      ${backends.map((each) => each.message)}::text[], ${backends.map((each) => JSON.stringify(each.names))}::jsonb[])
      AS reported (backend_id, replica_id, takes, kind, message, names)
    JOIN backend b ON b.id = reported.backend_id
    JOIN replica r ON r.id = reported.replica_id AND r.load_balancer_id = b.load_balancer_id
    ORDER BY b.id, r.id
    ON CONFLICT (backend_id, replica_id) DO UPDATE SET takes = excluded.takes, kind = excluded.kind, message = excluded.message,
      names = excluded.names, observed_at = excluded.observed_at
    WHERE (kept.takes, kept.kind, kept.message, kept.names) IS DISTINCT FROM (excluded.takes, excluded.kind, excluded.message, excluded.names)`;
}

/** deleteSessions forgets it where a replica no longer places connections so. */
export async function deleteSessions(tx: Tx, replicaIds: readonly string[]): Promise<void> {
  if (replicaIds.length === 0) return;
  await tx.replicaSession.deleteMany({ where: { replicaId: { in: [...replicaIds] } } });
  await tx.backendSession.deleteMany({ where: { replicaId: { in: [...replicaIds] } } });
}
