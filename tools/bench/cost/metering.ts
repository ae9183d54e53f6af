import { readdirSync, readFileSync } from "node:fs";
import { type Db, openDb } from "@fairlead/db";
import { freePort } from "@fairlead/db/free-port";
import { newId } from "@fairlead/domain";
import type { Actor } from "@fairlead/domain/access";
import { hourOf, listCosts as listCostsInput, startOfHour } from "@fairlead/domain/cost";
import { readPriceSeed } from "@fairlead/domain/cost/price-seed";
import { importPrices, listCosts, recountUsage, type ServiceContext } from "@fairlead/services";
import { meterDue, refreshSubjects } from "@fairlead/services/gateway";
import type { Form } from "../arguments.ts";
import { startBenchServer } from "../ingest/server.ts";
import { type Result, result } from "../result.ts";

/** The bar is for a whole month, which is measured once, also in the quick form. */
const month = { balancers: 10_000, hours: 730 };
const sizes = { full: month, quick: month, smoke: { balancers: 8, hours: 24 } };
/** The last hour of a month of 31 days. */
const until = new Date("2026-11-01T00:00:00Z");
/** Linux counts processor time in ticks of this rate on all supported architectures. */
const ticksPerSecond = 100;
const now = new Date(until.getTime() + 10 * 60_000);

/**
 * measureMetering meters a month of hours as controllers do, all at once, and calculates the cost:
 * usage from three series of each balancer, times the price of each hour. Half of them are cloud
 * load balancers, priced by traffic.
 */
export async function measureMetering(form: Form): Promise<Result[]> {
  const size = sizes[form];
  const server = await startBenchServer(await freePort());
  const db = openDb(server.url, { connections: 4, applicationName: "fairlead-controller" });
  try {
    const from = startOfHour(hourOf(until) - size.hours);
    const ctx = await makeBalancers(db, size.balancers, from);
    await refreshSubjects(db, from);
    await makeSamples(db, from, size.hours);
    const spent = processorSeconds(server.pid);
    const began = performance.now();
    await recountUsage(ctx, { from, to: until });
    await meterDue(db, now);
    const metered = performance.now();
    const costs = await listCosts(ctx, listCostsInput.parse({ groupBy: "organization", from, to: until }));
    const calculated = performance.now();
    const spentInAll = processorSeconds(server.pid) - spent;
    const subject = `${size.balancers} load balancers, ${size.hours} hours`;
    const rows = await db.usageHour.count({ where: { hour: { lt: hourOf(until) } } });
    const seconds = (ms: number) => [ms / 1_000];
    return [
      result(subject, "usage metered", "s", seconds(metered - began)),
      result(subject, "costs calculated", "s", seconds(calculated - metered)),
      result(subject, "metering in all", "s", seconds(calculated - began), { at: "max", op: "<=", value: 60 }),
      result(subject, "processor time of it", "s", [spentInAll]),
      result(subject, "hours metered", "hours", [rows], { at: "max", op: "==", value: size.balancers * size.hours }),
      result(subject, "cost that is known", "share", [costs.knownShare], { at: "low", op: "==", value: 1 }),
    ];
  } finally {
    await db.$disconnect();
    await server.stop();
  }
}

/** processorSeconds returns the processor time of this process and a PostgreSQL: it is more reliable than wall time on a busy machine. */
function processorSeconds(postmaster: number): number {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      // After the name, which may contain spaces: state, parent, and CPU times from the twelfth
      // field on.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      if (Number(fields[1]) === postmaster) ticks += Number(fields[11]) + Number(fields[12]);
      // Of its children that have ended.
      if (Number(pid) === postmaster) ticks += Number(fields[13]) + Number(fields[14]);
    } catch {
      // It has ended in the meantime.
    }
  }
  const own = process.cpuUsage();
  return ticks / ticksPerSecond + (own.user + own.system) / 1e6;
}

/** makeBalancers creates two clusters at a provider, one with cloud load balancers and one with Fairlead's, four per node. */
async function makeBalancers(db: Db, count: number, from: Date): Promise<ServiceContext> {
  await importPrices(db, { name: "seed", points: readPriceSeed() }, from);
  const organizationId = newId("organization");
  await db.organization.create({ data: { id: organizationId, name: "Bench", slug: "bench" } });
  const runsAs = {
    provider: "aws",
    region: "us-east-1",
    machine: "c7g.large",
    machineShare: 1,
    zones: 1,
    responseShare: 0.9,
  };
  for (const kind of ["cloud", "fairlead"]) {
    const clusterId = newId("cluster");
    const exposureId = newId("exposure");
    await db.cluster.create({ data: { id: clusterId, organizationId, name: kind, kind: "kubernetes", runsAs } });
    const strategy = kind === "cloud" ? { provider: "aws", scheme: "public" } : { replicas: 1, poolId: "pool_1" };
    await db.exposure.create({
      data: {
        ...{
          id: exposureId,
          organizationId,
          clusterId,
          name: kind,
          workload: {},
          ports: [{ port: 443, protocol: "tcp" }],
        },
        ...{ strategy: kind === "cloud" ? "cloud" : "ecmp", parameters: strategy, labels: { team: kind } },
      },
    });
    const half = count / 2;
    await db.$executeRaw`
      INSERT INTO node (id, organization_id, cluster_id, name, settings, updated_at)
      SELECT 'node_' || ${kind} || n, ${organizationId}, ${clusterId}, 'n' || n, '{"sampleIntervalMs": 5000}', now() FROM generate_series(0, ${half}::int / 4) AS n`;
    await db.$executeRaw`
      INSERT INTO load_balancer (id, organization_id, cluster_id, exposure_id, name, kind, created_at, updated_at)
      SELECT 'lb_' || ${kind} || n, ${organizationId}, ${clusterId}, ${exposureId}, 'lb' || n, ${kind}, ${from}, now() FROM generate_series(1, ${half}::int) AS n`;
    await db.$executeRaw`
      INSERT INTO load_balancer_status (load_balancer_id, phase, address, observed_at)
      SELECT 'lb_' || ${kind} || n, 'serving', '8.8.8.8', now() FROM generate_series(1, ${half}::int) AS n`;
    if (kind === "fairlead")
      await db.$executeRaw`
        INSERT INTO replica (id, load_balancer_id, node_id, ordinal)
        SELECT 'rep_' || n, 'lb_' || ${kind} || n, 'node_' || ${kind} || n / 4, 0 FROM generate_series(1, ${half}::int) AS n`;
  }
  await db.$executeRaw`
    INSERT INTO series (organization_id, subject_id, metric, labels)
    SELECT organization_id, id, metric, '{"agent":"a"}' FROM load_balancer,
      unnest(CASE kind WHEN 'cloud' THEN ARRAY['bothWaysBps'] ELSE ARRAY['throughputBps', 'toClientsBps'] END
        || ARRAY['connectionsLive', 'connectionsNewPerSecond']) AS metric`;
  await db.$executeRaw`ANALYZE`;
  const actor: Actor = { kind: "system", id: "bench", name: "bench" };
  return {
    db,
    actor,
    organizationId,
    now,
    settings: { url: "http://127.0.0.1:1", gatewayUrl: "https://127.0.0.1:1", secret: "not a real secret" },
  };
}

/** makeSamples fills hours like roll-ups: in order, 720 samples per hour and series. */
async function makeSamples(db: Db, from: Date, hours: number): Promise<void> {
  await db.$executeRaw`CREATE TABLE sample_hour_bench (LIKE sample_hour)`;
  for (let hour = 0; hour < hours; hour += 24) {
    const last = Math.min(hour + 24, hours) - 1;
    await db.$executeRaw`
      INSERT INTO sample_hour_bench (series_id, at, count, sum, min, max, minutes)
      SELECT series.id, ${from}::timestamptz + h * interval '1 hour', 720, 720.0 * (1000 + (series.id * 7919 + h * 104729) % 9000), 0, 10000, 60
      FROM generate_series(${hour}::int, ${last}::int) AS h, series ORDER BY h, series.id`;
  }
  // Attached when full, so that its index is built in one go.
  await db.$executeRaw`ALTER TABLE sample_hour_bench ADD PRIMARY KEY (series_id, at)`;
  await db.$executeRaw`CREATE INDEX ON sample_hour_bench USING BRIN (at) WITH (pages_per_range = 32)`;
  await db.$executeRaw`
    ALTER TABLE sample_hour ATTACH PARTITION sample_hour_bench FOR VALUES FROM ('2026-10-01') TO ('2026-11-01')`;
  // Vacuumed like a month of normal growth, so that no vacuum is measured.
  await db.$executeRaw`VACUUM (FREEZE, ANALYZE) sample_hour_bench`;
  await db.$executeRaw`CHECKPOINT`;
}
