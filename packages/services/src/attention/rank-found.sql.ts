import { Prisma, type Tx } from "@fairlead/db";
import type { AttentionKind } from "@fairlead/domain/attention";

/** Scope is what each query of the list gets. before: a problem that began later is not listed yet. */
export type Scope = {
  organizationId: string;
  clusterId: string | undefined;
  now: Date;
  before: Date;
  kinds: readonly AttentionKind[];
  /** The maximum number of rows of each kind. */
  limit: number;
};

export type Found<Row> = Row & { kind: AttentionKind; since: Date; total: number };

/** rankFound reads the newest rows of each kind, and how many there are. found is a query with kind, id and since. */
export function rankFound<Row>(tx: Tx, { kinds, before, limit }: Scope, found: Prisma.Sql): Promise<Found<Row>[]> {
  return tx.$queryRaw<Found<Row>[]>`
    SELECT * FROM (
      SELECT found.*, count(*) OVER (PARTITION BY kind)::int AS total, row_number() OVER (PARTITION BY kind ORDER BY since DESC, id) AS place
      FROM (${found}) found WHERE since <= ${before} AND kind = ANY(${kinds}::text[])
    ) ranked WHERE place <= ${limit}`;
}

export function inCluster(column: string, { clusterId }: Pick<Scope, "clusterId">): Prisma.Sql {
  return clusterId === undefined ? Prisma.sql`true` : Prisma.sql`${Prisma.raw(column)} = ${clusterId}`;
}
