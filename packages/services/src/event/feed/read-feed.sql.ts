import { type Db, Prisma } from "@fairlead/db";
import type { FeedEntry, SubjectKind } from "@fairlead/domain/event";

export type FeedRow = FeedEntry & { id: bigint; transaction: bigint; organizationId: string; at: Date };

export type FeedRead = {
  rows: FeedRow[];
  /** All entries of transactions before this one could be read, and no transaction before it can add another. */
  settledBefore: bigint;
  /** The first transaction number that is not yet assigned or still running. */
  horizon: bigint;
  /** There was more than the limit; which entries were left out is unknown. */
  isCut: boolean;
};

type Row = {
  horizon: bigint;
  settledBefore: bigint;
  id: bigint | null;
  transaction: bigint;
  organizationId: string;
  clusterId: string | null;
  subjectKind: string;
  subjectId: string;
  at: Date;
};

/**
 * readFeed reads the visible entries of all transactions from `since` on. Entries don't become visible in the order of
 * their ids, because transactions end in another order than they begin. So a reader may only advance to settledBefore,
 * and reads again what is after it; it must recognise an entry that it sees twice.
 *
 * settledBefore follows the newest settled entry and not the horizon: after a crash a server may reuse the numbers of
 * transactions that were never committed, and a reader that had advanced past them would miss the new ones.
 */
export async function readFeed(
  db: Db,
  query: { since: bigint; organizationId?: string; limit: number },
): Promise<FeedRead> {
  const ofOne = query.organizationId ? Prisma.sql`AND organization_id = ${query.organizationId}` : Prisma.empty;
  // One statement, so one snapshot: what is reported as settled is what was read.
  const found = await db.$queryRaw<Row[]>`
    SELECT snapshot.horizon, coalesce(newest.transaction + 1, 0) AS "settledBefore", entry.* FROM (
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon
    ) AS snapshot
    LEFT JOIN LATERAL (
      SELECT max(transaction) AS transaction FROM feed_entry WHERE transaction < snapshot.horizon
    ) AS newest ON true
    LEFT JOIN LATERAL (
      SELECT id, transaction, organization_id AS "organizationId", cluster_id AS "clusterId",
        subject_kind AS "subjectKind", subject_id AS "subjectId", at
      FROM feed_entry WHERE transaction >= ${query.since} ${ofOne}
      ORDER BY transaction, id LIMIT ${query.limit + 1}
    ) AS entry ON true`;
  const rows = found.flatMap(toFeedRow);
  return {
    rows: rows.slice(0, query.limit),
    settledBefore: found[0]?.settledBefore ?? 0n,
    horizon: found[0]?.horizon ?? 0n,
    isCut: rows.length > query.limit,
  };
}

function toFeedRow({ horizon: _, settledBefore: __, id, ...row }: Row): FeedRow[] {
  return id === null ? [] : [{ ...row, id, subjectKind: row.subjectKind as SubjectKind }];
}
