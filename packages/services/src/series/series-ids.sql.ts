import { type Db, Prisma, type Tx } from "@fairlead/db";

/**
 * One measured series, by name. labels are canonical JSON, so that equal labels are equal strings. agentId is the agent
 * among them, or null.
 */
export type SeriesKey = {
  organizationId: string;
  subjectId: string;
  metric: string;
  labels: string;
  agentId: string | null;
};

/** A subject that keeps inventing labels would grow the catalogue without bound. Those that ended don't count. */
export const mostSeriesPerSubject = 2_000;
const mostCached = 500_000;

/**
 * SeriesIds caches the number of every recently written series, and queries the database for all unknown ones of a
 * batch at once. A notification names the subjects to forget, because series of them were deleted.
 */
export class SeriesIds {
  readonly #subjects = new Map<string, Map<string, number>>();
  #cached = 0;
  /** Rows that were read before something was forgotten may be outdated. */
  #epoch = 0;

  /** resolve returns one number per key, or null where a subject has too many series already. */
  async resolve(db: Db, keys: readonly SeriesKey[]): Promise<(number | null)[]> {
    for (let epoch = -1; epoch !== this.#epoch; ) {
      epoch = this.#epoch;
      const unknown = keys.filter((key) => this.#find(key) === undefined);
      if (unknown.length > 0) await this.#load(db, unknown);
    }
    const ids = keys.map((key) => this.#find(key) ?? null);
    this.#evict();
    return ids;
  }

  /** forget drops a subject from the cache: some of its series were deleted. */
  forget(subjectId: string): void {
    this.#epoch++;
    this.#drop(subjectId);
  }

  /** forgetAll drops everything from the cache: anything may have been deleted. */
  forgetAll(): void {
    this.#epoch++;
    this.#subjects.clear();
    this.#cached = 0;
  }

  #drop(subjectId: string): void {
    this.#cached -= this.#subjects.get(subjectId)?.size ?? 0;
    this.#subjects.delete(subjectId);
  }

  #find(key: SeriesKey): number | undefined {
    return this.#subjects.get(key.subjectId)?.get(`${key.metric}${key.labels}`);
  }

  async #load(db: Db, keys: readonly SeriesKey[]): Promise<void> {
    const epoch = this.#epoch;
    this.#remember(await select(db, keys), epoch);
    const missing = distinct(keys.filter((key) => this.#find(key) === undefined));
    if (missing.length === 0) return;
    await insert(db, missing);
    this.#remember(await select(db, missing), epoch);
  }

  #remember(rows: readonly SeriesRow[], epoch: number): void {
    if (epoch !== this.#epoch) return;
    for (const { id, subjectId, metric, labels } of rows) {
      const series = this.#subjects.get(subjectId) ?? new Map<string, number>();
      if (!series.has(`${metric}${labels}`)) this.#cached++;
      series.set(`${metric}${labels}`, id);
      this.#subjects.set(subjectId, series);
    }
  }

  // First in, first out; a subject that still exists is simply queried again.
  #evict(): void {
    for (const subjectId of this.#subjects.keys()) {
      if (this.#cached <= mostCached) return;
      this.#drop(subjectId);
    }
  }
}

type SeriesRow = { id: number; subjectId: string; metric: string; labels: string };

function distinct(keys: readonly SeriesKey[]): SeriesKey[] {
  return [...new Map(keys.map((key) => [`${key.subjectId}\n${key.metric}${key.labels}`, key])).values()];
}

function columns(keys: readonly SeriesKey[]): Prisma.Sql {
  return Prisma.sql`unnest(
    ${keys.map((key) => key.organizationId)}::text[], ${keys.map((key) => key.subjectId)}::text[],
    ${keys.map((key) => key.metric)}::text[], ${keys.map((key) => key.labels)}::text[],
    ${keys.map((key) => key.agentId)}::text[]) AS wanted (organization_id, subject_id, metric, labels, agent_id)`;
}

function select(tx: Tx, keys: readonly SeriesKey[]): Promise<SeriesRow[]> {
  return tx.$queryRaw<SeriesRow[]>`
    SELECT s.id, s.subject_id AS "subjectId", s.metric, s.labels
    FROM ${columns(distinct(keys))} JOIN series s USING (subject_id, metric, labels)`;
}

async function insert(tx: Tx, keys: readonly SeriesKey[]): Promise<void> {
  // Sorted, so that two gateways with the same new series lock them in the same order.
  await tx.$executeRaw`
    INSERT INTO series (organization_id, subject_id, metric, labels, agent_id)
    SELECT organization_id, subject_id, metric, labels, agent_id FROM (
      SELECT wanted.*, row_number() OVER (PARTITION BY subject_id ORDER BY metric, labels) AS position,
        (SELECT count(*) FROM series s WHERE s.subject_id = wanted.subject_id AND s.ended_at IS NULL) AS existing
      FROM ${columns(keys)}
    ) AS numbered
    WHERE position + existing <= ${mostSeriesPerSubject}
    ORDER BY subject_id, metric, labels
    ON CONFLICT (subject_id, metric, labels) DO NOTHING`;
}
