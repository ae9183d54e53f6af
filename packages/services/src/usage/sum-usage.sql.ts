import { Prisma, type Tx } from "@fairlead/db";
import type { Hours, Step } from "@fairlead/domain/cost";

export type UsageRow = {
  group: number;
  /** The first hour of its step. */
  step: number;
  existsSeconds: number;
  /** How long at least one of the group existed: its longest, hour by hour. */
  groupSeconds: number;
  addressSeconds: number;
  machineSeconds: number;
  coveredSeconds: number;
  bytesIn: number | null;
  bytesOut: number | null;
  /** From clients, in the hours for which the traffic to them is known. */
  bytesInAnswered: number | null;
  bytesBoth: number | null;
  connectionsNew: number | null;
  connectionSeconds: number | null;
  peakInBps: number | null;
  peakBothBps: number | null;
};

const steps: Record<Step, Prisma.Sql> = {
  all: Prisma.sql`0`,
  day: Prisma.sql`hour - hour % 24`,
  hour: Prisma.sql`hour`,
};

/**
 * sumUsage sums groups of subjects, by the groups' numbers. For the peak, those of one hour are summed, and the highest
 * hour counts.
 */
export async function sumUsage(
  tx: Tx,
  groups: readonly number[][],
  hours: Hours,
  step: Step,
): Promise<Map<number, UsageRow[]>> {
  const ids = groups.flat();
  const numbers = groups.flatMap((group, number) => group.map(() => number));
  const rows = await tx.$queryRaw<UsageRow[]>(Prisma.sql`
    WITH hourly AS (
      SELECT g.number, hour, sum(exists_seconds)::float8 AS exists, max(exists_seconds)::float8 AS longest, sum(address_seconds)::float8 AS address,
        sum(machine_seconds)::float8 AS machine, sum(bytes_in) AS bytes_in, sum(bytes_out) AS bytes_out,
        sum(bytes_in) FILTER (WHERE bytes_out IS NOT NULL) AS answered, sum(bytes_both) AS bytes_both, sum(connections_new) AS begun,
        sum(connection_seconds) AS live, sum(peak_in_bps) AS peak_in, sum(peak_both_bps) AS peak_both,
        sum(CASE WHEN replica_seconds > 0 THEN least(exists_seconds, measured_seconds * exists_seconds / replica_seconds) ELSE 0 END)::float8 AS covered
      FROM usage_hour JOIN unnest(${ids}::int4[], ${numbers}::int4[]) AS g(subject_id, number) USING (subject_id)
      WHERE hour >= ${hours.from}::int AND hour < ${hours.to}::int
      GROUP BY 1, 2
    )
    SELECT number AS "group", ${steps[step]} AS step, sum(exists) AS "existsSeconds", sum(longest) AS "groupSeconds", sum(address) AS "addressSeconds",
      sum(machine) AS "machineSeconds", sum(covered) AS "coveredSeconds", sum(bytes_in) AS "bytesIn",
      sum(bytes_out) AS "bytesOut", sum(answered) AS "bytesInAnswered", sum(bytes_both) AS "bytesBoth",
      sum(begun) AS "connectionsNew", sum(live) AS "connectionSeconds", max(peak_in) AS "peakInBps", max(peak_both) AS "peakBothBps"
    FROM hourly GROUP BY 1, 2 ORDER BY 1, 2`);
  return Map.groupBy(rows, (row) => row.group);
}
