/** The upper 8 bits of a timestamp have room for this many; 0 is none. */
export const mostSessionNumbers = 127;

/** SessionNumber is the number of an instance. releasedAt: since when it has no backend; null while it has one. */
export type SessionNumber = { instance: string; number: number; releasedAt: Date | null };

/**
 * planSessionNumbers gives each instance of an exposure a number, and returns all rows to keep. An instance keeps its number,
 * and gets it again if it returns before another one has it. Others get a number that was never used, then the one that was
 * released first, because connections and clients may have it for a while; then, the one that the fewest instances have.
 */
export function planSessionNumbers(
  known: readonly SessionNumber[],
  instances: readonly string[],
  now: Date,
): SessionNumber[] {
  const wanted = new Set(instances);
  const rows = new Map(
    known.map((each) => {
      const releasedAt = wanted.has(each.instance) ? null : (each.releasedAt ?? now);
      return [each.instance, { ...each, releasedAt }];
    }),
  );
  for (const instance of [...wanted].sort()) {
    if (rows.has(instance)) continue;
    const number = pick([...rows.values()]);
    rows.set(instance, { instance, number, releasedAt: null });
  }
  return forget([...rows.values()]);
}

/** pick returns the number that a new instance gets. */
function pick(rows: readonly SessionNumber[]): number {
  const of = Map.groupBy(rows, (each) => each.number);
  const ranked = Array.from({ length: mostSessionNumbers }, (_, index) => {
    const having = of.get(index + 1) ?? [];
    const inUse = having.filter((each) => each.releasedAt === null).length;
    const releasedAt = Math.max(0, ...having.map((each) => each.releasedAt?.getTime() ?? 0));
    return { number: index + 1, inUse, releasedAt };
  });
  ranked.sort((a, b) => a.inUse - b.inUse || a.releasedAt - b.releasedAt || a.number - b.number);
  return ranked[0]?.number ?? 1;
}

/** forget drops released rows whose number another instance has, or had later. So there are at most 127 of them. */
function forget(rows: readonly SessionNumber[]): SessionNumber[] {
  const latest = new Map<number, SessionNumber>();
  for (const row of rows) {
    const other = latest.get(row.number);
    if (!other || rank(row) > rank(other) || (rank(row) === rank(other) && row.instance < other.instance))
      latest.set(row.number, row);
  }
  return rows.filter((row) => row.releasedAt === null || latest.get(row.number) === row);
}

const rank = ({ releasedAt }: SessionNumber): number => releasedAt?.getTime() ?? Number.POSITIVE_INFINITY;
