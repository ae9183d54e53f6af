import { type Db, Prisma } from "@fairlead/db";
import type { FeedEntry, SubjectKind } from "@fairlead/domain";

export type FeedRow = FeedEntry & { id: bigint; transaction: bigint; organizationId: string; at: Date };

export type FeedRead = {
  rows: FeedRow[];
  /** Every transaction before this one is settled: none of them can add an entry any more. */
  settledBefore: bigint;
  /** There was more than the limit; which entries were left out is not known. */
  isCut: boolean;
};

type Row = {
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
 * readFeed reads the entries of all transactions from `since` on that can be seen now. Entries don't become visible
 * in the order of their ids, because transactions end in another order than they begin. So a reader may only step
 * forward to settledBefore, and reads again what lies between; it must know an entry when it sees it twice.
 */
export async function readFeed(
  db: Db,
  query: { since: bigint; organizationId?: string; limit: number },
): Promise<FeedRead> {
  const ofOne = query.organizationId ? Prisma.sql`AND organization_id = ${query.organizationId}` : Prisma.empty;
  // One statement, so one snapshot: what is said to be settled is what was looked at.
  const found = await db.$queryRaw<Row[]>`
    SELECT horizon."settledBefore", entry.* FROM (
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "settledBefore"
    ) AS horizon
    LEFT JOIN LATERAL (
      SELECT id, transaction, organization_id AS "organizationId", cluster_id AS "clusterId",
        subject_kind AS "subjectKind", subject_id AS "subjectId", at
      FROM feed_entry WHERE transaction >= ${query.since} ${ofOne}
      ORDER BY transaction, id LIMIT ${query.limit + 1}
    ) AS entry ON true`;
  const rows = found.flatMap((row) => toFeedRow(row));
  return {
    rows: rows.slice(0, query.limit),
    settledBefore: found[0]?.settledBefore ?? 0n,
    isCut: rows.length > query.limit,
  };
}

function toFeedRow({ settledBefore: _, id, ...row }: Row): FeedRow[] {
  return id === null ? [] : [{ ...row, id, subjectKind: row.subjectKind as SubjectKind }];
}
