import { Prisma, type Tx } from "@fairlead/db";
import { startOfHour } from "@fairlead/domain/cost";
import type { MetricName } from "@fairlead/domain/series";

const fromClients: MetricName = "throughputBps";
const toClients: MetricName = "toClientsBps";
const bothWays: MetricName = "bothWaysBps";
const live: MetricName = "connectionsLive";
const begun: MetricName = "connectionsNewPerSecond";

/**
 * A balancer that is found serving this soon after its creation counts as serving from the start: it was not checked in
 * between.
 */
const soonMs = 10 * 60_000;

/**
 * isThere is a condition on a load balancer l with its status st: it is in use, with an address or with replicas on
 * nodes.
 */
const isThere = Prisma.sql`CASE l.kind
  WHEN 'fairlead' THEN EXISTS (SELECT 1 FROM replica r WHERE r.load_balancer_id = l.id AND r.node_id IS NOT NULL)
  ELSE st.address IS NOT NULL OR st.phase IN ('serving', 'degraded') END`;

/** onMachines selects the replicas that are paid by machines: those of the role adaptive run on nodes that run anyway. */
const onMachines = Prisma.sql`SELECT p.id, p.node_id FROM replica p WHERE p.node_id IS NOT NULL AND p.role = 'balancer'`;

/**
 * refreshSubjects stores the current attributes of every load balancer, for when it is deleted, and since when it
 * exists.
 */
export async function refreshSubjects(tx: Tx, now: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO usage_subject AS kept (organization_id, cluster_id, exposure_id, load_balancer_id, facts)
    SELECT organization_id, cluster_id, exposure_id, load_balancer_id, facts FROM usage_fact_view
    ORDER BY load_balancer_id
    ON CONFLICT (load_balancer_id) DO UPDATE SET facts = excluded.facts WHERE kept.facts <> excluded.facts`;
  await tx.$executeRaw(Prisma.sql`
    UPDATE usage_subject s SET served_since = CASE WHEN l.created_at > ${new Date(now.getTime() - soonMs)} THEN l.created_at ELSE ${now} END
    FROM load_balancer l LEFT JOIN load_balancer_status st ON st.load_balancer_id = l.id
    WHERE s.load_balancer_id = l.id AND s.served_since IS NULL AND ${isThere}`);
}

/**
 * meterHours writes what every existing load balancer used in each of some hours, and returns how many rows changed. It
 * may be repeated at any time: the series are read again, a balancer's attributes and placement stay as they were found
 * then, and a deleted balancer keeps its rows. Minutes are read where hours are not rolled up yet.
 */
export async function meterHours(
  tx: Tx,
  span: { from: number; to: number; source: "hour" | "minute" },
  now: Date,
): Promise<number> {
  const [from, to] = [startOfHour(span.from), startOfHour(span.to)];
  const metered = await selectMetered(tx, span);
  // Three days of ten thousand balancers are summed in memory, and are too short for JIT compilation.
  await tx.$executeRaw`SELECT set_config('work_mem', '96MB', true), set_config('jit', 'off', true)`;
  return tx.$executeRaw(Prisma.sql`
    WITH on_node AS (
      SELECT r.node_id, count(*) AS balancers FROM (${onMachines}) r GROUP BY 1
    ), placed AS (
      SELECT r.load_balancer_id, count(*)::float8 AS replicas, coalesce(sum(1::float8 / o.balancers), 0) AS machines,
        greatest(1, max((n.settings ->> 'sampleIntervalMs')::float8) / 60000) AS minutes_each
      FROM replica r JOIN node n ON n.id = r.node_id LEFT JOIN (${onMachines}) paid ON paid.id = r.id
      LEFT JOIN on_node o ON o.node_id = paid.node_id GROUP BY 1
    ), being AS MATERIALIZED (
      SELECT s.id AS subject_id, l.id, extract(epoch FROM s.served_since)::float8 AS since,
        coalesce(p.replicas, 1) AS replicas, coalesce(p.machines, 0) AS machines, coalesce(p.minutes_each, 1) AS minutes_each,
        extract(epoch FROM coalesce(a.allocated_at, CASE WHEN st.address IS NOT NULL AND l.address_of_id IS NULL THEN s.served_since END))::float8 AS address_since
      FROM usage_subject s
      JOIN load_balancer l ON l.id = s.load_balancer_id
      LEFT JOIN load_balancer_status st ON st.load_balancer_id = l.id
      LEFT JOIN virtual_address a ON a.load_balancer_id = l.id
      LEFT JOIN placed p ON p.load_balancer_id = l.id
      WHERE s.served_since < ${to} AND ${isThere}
    ), measures AS MATERIALIZED (
      SELECT s.id, being.subject_id, s.metric
      FROM being JOIN series s ON s.subject_id = being.id AND s.metric IN (${fromClients}, ${toClients}, ${bothWays}, ${live}, ${begun})
        AND (s.ended_at IS NULL OR s.ended_at >= ${from})
    ), carried AS (
      SELECT m.subject_id, (date_part('epoch', b.at) / 3600)::int AS hour,
        sum(b.minutes) FILTER (WHERE metric = ${fromClients}) AS minutes_in,
        sum(b.minutes) FILTER (WHERE metric = ${toClients}) AS minutes_out,
        sum(b.minutes) FILTER (WHERE metric = ${bothWays}) AS minutes_both,
        sum(b.sum / b.count * b.minutes) FILTER (WHERE metric = ${fromClients}) * 60 / 8 AS bytes_in,
        sum(b.sum / b.count * b.minutes) FILTER (WHERE metric = ${toClients}) * 60 / 8 AS bytes_out,
        sum(b.sum / b.count * b.minutes) FILTER (WHERE metric = ${bothWays}) * 60 / 8 AS bytes_both,
        sum(b.max) FILTER (WHERE metric = ${fromClients} AND b.minutes > 0) AS peak_in,
        sum(b.max) FILTER (WHERE metric = ${bothWays} AND b.minutes > 0) AS peak_both,
        sum(b.sum / b.count * b.minutes) FILTER (WHERE metric = ${live}) * 60 AS live,
        sum(b.sum / b.count * b.minutes) FILTER (WHERE metric = ${begun}) * 60 AS begun
      FROM measures m JOIN (${bucketsOf(span.source, from, to)}) b ON b.series_id = m.id
      GROUP BY 1, 2
    ), used AS (
      SELECT being.*, hour, ceil(until - greatest(hour * 3600::float8, since)) AS seconds,
        greatest(0, ceil(until - greatest(hour * 3600::float8, address_since))) AS with_address
      FROM being CROSS JOIN (
        SELECT hour, least((hour + 1) * 3600::float8, ${now.getTime() / 1_000}::float8) AS until
        FROM generate_series(${span.from}::int, ${span.to}::int - 1) AS hour
      ) h
      WHERE since < until AND hour * 3600::float8 < until
    )
    INSERT INTO usage_hour AS kept (subject_id, hour, exists_seconds, address_seconds, replica_seconds, machine_seconds,
      measured_seconds, bytes_in, bytes_out, bytes_both, peak_in_bps, peak_both_bps, connection_seconds, connections_new)
    SELECT subject_id, hour, seconds::int2, CASE WHEN address_since IS NULL THEN 0 ELSE with_address END::int2,
      seconds * replicas, seconds * machines, coalesce(minutes_in, minutes_both, 0) * 60 * minutes_each, bytes_in * minutes_each,
      CASE WHEN minutes_out >= minutes_in THEN bytes_out * minutes_each END, bytes_both * minutes_each,
      peak_in, peak_both, live * minutes_each, begun * minutes_each
    FROM used LEFT JOIN carried USING (subject_id, hour)
    ${metered.length > 0 && span.source === "hour" ? foundBefore(metered) : Prisma.empty}
    ORDER BY subject_id, hour
    ${metered.length > 0 ? correction : Prisma.empty}`);
}

/** selectMetered returns which of the hours were metered before. Only one process meters an hour at a time. */
async function selectMetered(tx: Tx, span: { from: number; to: number }): Promise<number[]> {
  const rows = await tx.$queryRaw<{ hour: number }[]>`
    SELECT g.hour FROM generate_series(${span.from}::int, ${span.to}::int - 1) AS g (hour)
    WHERE EXISTS (SELECT 1 FROM usage_hour h WHERE h.hour = g.hour)`;
  return rows.map(({ hour }) => hour);
}

/**
 * foundBefore excludes balancers from a metered hour in which they weren't found then, though they exist now: unless
 * their series show otherwise, or they were created in that very hour.
 */
function foundBefore(metered: readonly number[]): Prisma.Sql {
  return Prisma.sql`
    WHERE hour <> ALL(${metered}::int[]) OR minutes_in IS NOT NULL OR minutes_both IS NOT NULL OR since >= hour * 3600::float8
      OR EXISTS (SELECT 1 FROM usage_hour kept WHERE kept.subject_id = used.subject_id AND kept.hour = used.hour)`;
}

function bucketsOf(source: "hour" | "minute", from: Date, to: Date): Prisma.Sql {
  return source === "hour"
    ? Prisma.sql`SELECT series_id, at, count, sum, max, minutes FROM sample_hour WHERE at >= ${from} AND at < ${to}`
    : Prisma.sql`
      SELECT series_id, date_bin('1 hour', at, 'epoch'::timestamptz) AS at, sum(count) AS count, sum(sum) AS sum, max(max) AS max, count(*) AS minutes
      FROM sample_minute WHERE at >= ${from} AND at < ${to} GROUP BY 1, 2`;
}

/** since is what was added since the last metering: where the replicas run may have changed meanwhile. */
function since(column: "replica_seconds" | "machine_seconds"): Prisma.Sql {
  const name = Prisma.raw(column);
  return Prisma.sql`greatest(0, excluded.exists_seconds - kept.exists_seconds) * excluded.${name} / excluded.exists_seconds`;
}

/** What was carried, as far as it was measured. */
const carried = [
  ...(["bytes_in", "bytes_out", "bytes_both", "peak_in_bps", "peak_both_bps"] as const),
  ...(["connection_seconds", "connections_new"] as const),
];

function columnsOf(row: "excluded" | "kept"): Prisma.Sql {
  return Prisma.join(carried.map((column) => Prisma.raw(`${row}.${column}`)));
}

/** newer is the figure of the row that measured more of the hour. */
function newer(column: (typeof carried)[number]): Prisma.Sql {
  const name = Prisma.raw(column);
  return Prisma.sql`CASE WHEN excluded.measured_seconds >= kept.measured_seconds THEN excluded.${name} ELSE kept.${name} END`;
}

/** The update of an hour that was metered before: it reads each row, so it is left out where there is none. */
const correction = Prisma.sql`
    ON CONFLICT (subject_id, hour) DO UPDATE SET
      exists_seconds = greatest(kept.exists_seconds, excluded.exists_seconds),
      address_seconds = greatest(kept.address_seconds, excluded.address_seconds),
      replica_seconds = kept.replica_seconds + ${since("replica_seconds")},
      machine_seconds = kept.machine_seconds + ${since("machine_seconds")},
      measured_seconds = greatest(kept.measured_seconds, excluded.measured_seconds),
      ${Prisma.join(carried.map((column) => Prisma.sql`${Prisma.raw(column)} = ${newer(column)}`))}
    WHERE excluded.exists_seconds > kept.exists_seconds OR excluded.address_seconds > kept.address_seconds
      OR excluded.measured_seconds > kept.measured_seconds
      OR excluded.measured_seconds = kept.measured_seconds AND (${columnsOf("excluded")}) IS DISTINCT FROM (${columnsOf("kept")})`;
