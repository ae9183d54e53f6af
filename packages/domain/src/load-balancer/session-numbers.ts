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
  const uses = countUses([...rows.values()]);
  for (const instance of [...wanted].sort()) {
    if (rows.has(instance)) continue;
    const use = pick(uses);
    use.inUse++;
    rows.set(instance, { instance, number: use.number, releasedAt: null });
  }
  return forget([...rows.values()]);
}

/** A number, how many instances have it, and when the last other one released it; 0 for never. */
type Use = { number: number; inUse: number; releasedAt: number };

function countUses(rows: readonly SessionNumber[]): Use[] {
  const of = Map.groupBy(rows, (each) => each.number);
  return Array.from({ length: mostSessionNumbers }, (_, index) => {
    const having = of.get(index + 1) ?? [];
    return {
      number: index + 1,
      inUse: having.filter((each) => each.releasedAt === null).length,
      releasedAt: having.reduce((latest, each) => Math.max(latest, each.releasedAt?.getTime() ?? 0), 0),
    };
  });
}

/** pick returns the number that a new instance gets. Linear, because an exposure may have 10,000 new ones. */
function pick(uses: readonly Use[]): Use {
  return uses.reduce((best, each) =>
    (each.inUse - best.inUse || each.releasedAt - best.releasedAt || each.number - best.number) < 0 ? each : best,
  );
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
