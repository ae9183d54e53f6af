import type { Tx } from "@fairlead/db";
import type { Hours, MeteredHour } from "@fairlead/domain/cost";

type Packed = {
  subjectId: number;
  hours: Uint8Array;
  seconds: Uint8Array;
  shares: Uint8Array;
  carried: Uint8Array;
};

/**
 * readHours reads what some balancers used, hour by hour in order. Numbers are packed in PostgreSQL's binary form: as
 * rows, a month of many balancers would take minutes.
 */
export async function readHours(
  tx: Tx,
  subjectIds: readonly number[],
  hours: Hours,
): Promise<Map<number, MeteredHour[]>> {
  const rows = await tx.$queryRaw<Packed[]>`
    SELECT subject_id AS "subjectId", string_agg(int4send(hour), '') AS hours,
      string_agg(int2send(exists_seconds) || int2send(address_seconds), '') AS seconds,
      string_agg(float4send(replica_seconds) || float4send(machine_seconds) || float4send(measured_seconds), '') AS shares,
      string_agg(float8send(coalesce(bytes_in, 'NaN')) || float8send(coalesce(bytes_out, 'NaN'))
        || float8send(coalesce(bytes_both, 'NaN')) || float8send(coalesce(connection_seconds, 'NaN'))
        || float8send(coalesce(connections_new, 'NaN')), '') AS carried
    FROM (
      SELECT * FROM usage_hour
      WHERE subject_id = ANY(${subjectIds}::int4[]) AND hour >= ${hours.from}::int AND hour < ${hours.to}::int
      ORDER BY subject_id, hour
    ) AS ordered
    GROUP BY subject_id`;
  return new Map(rows.map((row) => [row.subjectId, unpack(row)]));
}

function unpack(row: Packed): MeteredHour[] {
  const [hours, seconds, shares, carried] = [row.hours, row.seconds, row.shares, row.carried].map(viewOf) as [
    DataView,
    DataView,
    DataView,
    DataView,
  ];
  return Array.from({ length: hours.byteLength / 4 }, (_, i) => {
    const existsSeconds = seconds.getInt16(4 * i);
    const measured = shares.getFloat32(12 * i + 8);
    return {
      hour: hours.getInt32(4 * i),
      existsSeconds,
      addressSeconds: seconds.getInt16(4 * i + 2),
      machineSeconds: shares.getFloat32(12 * i + 4),
      coveredSeconds: coveredSeconds(existsSeconds, shares.getFloat32(12 * i), measured),
      bytesIn: known(carried.getFloat64(40 * i)),
      bytesOut: known(carried.getFloat64(40 * i + 8)),
      bytesBoth: known(carried.getFloat64(40 * i + 16)),
      connectionSeconds: known(carried.getFloat64(40 * i + 24)),
      connectionsNew: known(carried.getFloat64(40 * i + 32)),
    };
  });
}

/** coveredSeconds is for how long all replicas together were measured: with one of two silent, for half of the time. */
function coveredSeconds(existsSeconds: number, replicaSeconds: number, measuredSeconds: number): number {
  if (replicaSeconds <= 0) return 0;
  return Math.min(existsSeconds, (measuredSeconds * existsSeconds) / replicaSeconds);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
