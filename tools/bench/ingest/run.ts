import { fork } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Db, openDb } from "@fairlead/db";
import { freePort } from "@fairlead/db/free-port";
import { newId } from "@fairlead/domain";
import type { Actor } from "@fairlead/domain/access";
import { listNodes as listNodesSchema } from "@fairlead/domain/node";
import { createEnrollmentToken, listNodes, querySeries, type ServiceContext } from "@fairlead/services";
import type { Form } from "../arguments.ts";
import { Processors } from "../controlplane/processors.ts";
import { ratesOf, startFleet } from "../fleet.ts";
import type { Benchmark } from "../main.ts";
import { result, wasMeasured } from "../result.ts";
import { startBenchServer } from "./server.ts";

const sizes = {
  full: { agents: 1_000, series: 21, points: 5, seconds: 120, ramp: 30, warmup: 30, every: 5 },
  quick: { agents: 1_000, series: 21, points: 5, seconds: 30, ramp: 30, warmup: 10, every: 5 },
  smoke: { agents: 5, series: 3, points: 5, seconds: 5, ramp: 0.2, warmup: 0.5, every: 1 },
};
const queryEveryMs = 250;
const secret = "the secret of a benchmark, not a real one";

/**
 * Only the path of samples: simulated agents → gateway → group commit → PostgreSQL → roll-ups, while a user views lists
 * and charts. FAIRLEAD_BENCH_AGENTS and FAIRLEAD_BENCH_SERIES raise the load beyond the bar.
 */
export const run: Benchmark = async ({ form, root }) => {
  const size = overridden(sizes[form]);
  const server = await startBenchServer(await freePort());
  const db = openDb(server.url, { connections: 4, applicationName: "fairlead-web" });
  const gatewayPort = await freePort();
  const gateway = fork(path.join(import.meta.dirname, "gateway.ts"), [server.url, String(gatewayPort)], {
    execArgv: process.env.FAIRLEAD_BENCH_PROFILE
      ? ["--cpu-prof", `--cpu-prof-dir=${process.env.FAIRLEAD_BENCH_PROFILE}`]
      : [],
  });
  try {
    await new Promise((resolve) => gateway.once("message", resolve));
    const ctx = await makeOrganization(db, gatewayPort);
    const fleet = startFleet(root, {
      gatewayUrl: ctx.settings.gatewayUrl,
      folder: server.folder,
      tokens: await makeTokens(ctx, size.agents),
      series: size.series,
      points: size.points,
      rampSeconds: size.ramp,
      warmupSeconds: size.warmup,
      seconds: size.seconds,
      everySeconds: size.every,
    });
    await sleep((size.ramp + size.warmup) * 1_000);
    const processors = new Processors({ gateway: gateway.pid ?? 0, postgres: server.pid, fleet: fleet.pid });
    const queried = await queryDashboard(ctx, (size.seconds - size.every) * 1_000);
    const shares = processors.shares();
    const summary = await fleet.summary;
    const rates = ratesOf(fleet.lines);
    const subject = `${size.agents} agents × ${size.series * size.points} points every ${size.every} s`;
    return {
      results: [
        { ...wasMeasured(subject, summary.reportsAcked), metric: "reports answered" },
        result(subject, "sustained ingest", "samples/s", rates, { at: "low", op: ">=", value: 20_000 }),
        result(subject, "report answered, p50", "ms", [summary.ackMsP50]),
        result(subject, "report answered, p99", "ms", [summary.ackMsP99]),
        result(subject, "reports lost", "reports", [summary.reportsLost], { at: "max", op: "==", value: 0 }),
        result(subject, "reports late by more than 5 s", "reports", [summary.reportsLate], {
          at: "max",
          op: "==",
          value: 0,
        }),
        result(subject, "list of nodes", "ms", queried.list, { at: "p99", op: "<=", value: 100 }),
        result(subject, "chart of an hour, 12 series", "ms", queried.chart),
        result(subject, "oldest roll-up overdue", "s", queried.overdue),
      ],
      limits: [
        `of one core: ${Object.entries(shares)
          .map(([name, share]) => `${name} ${Math.round(share * 100)} %`)
          .join(", ")}`,
        await sizesOf(db),
      ],
    };
  } finally {
    gateway.kill("SIGTERM");
    await new Promise((resolve) => gateway.once("close", resolve));
    await db.$disconnect();
    await server.stop();
  }
};

type Size = (typeof sizes)[Form];

function overridden(size: Size): Size {
  const { FAIRLEAD_BENCH_AGENTS: agents, FAIRLEAD_BENCH_SERIES: series, FAIRLEAD_BENCH_SECONDS: seconds } = process.env;
  return {
    ...size,
    ...(agents ? { agents: Number(agents) } : {}),
    ...(series ? { series: Number(series) } : {}),
    ...(seconds ? { seconds: Number(seconds) } : {}),
  };
}

async function makeOrganization(db: Db, port: number): Promise<ServiceContext> {
  const organizationId = newId("organization");
  await db.organization.create({ data: { id: organizationId, name: "Bench", slug: "bench" } });
  const actor: Actor = { kind: "system", id: "bench", name: "bench" };
  const settings = { url: "http://127.0.0.1:1", gatewayUrl: `https://127.0.0.1:${port}`, secret };
  return { db, actor, organizationId, now: new Date(), settings };
}

async function makeTokens(ctx: ServiceContext, count: number): Promise<string[]> {
  const clusterId = newId("cluster");
  const { db, organizationId } = ctx;
  await db.cluster.create({ data: { id: clusterId, organizationId, name: "bench", kind: "machines" } });
  const tokens: string[] = [];
  while (tokens.length < count)
    tokens.push((await createEnrollmentToken(ctx, { clusterId, expiresInMinutes: 600 })).token);
  return tokens;
}

/** queryDashboard repeats the queries of a dashboard user. */
async function queryDashboard(ctx: ServiceContext, forMs: number) {
  const timings = { list: [] as number[], chart: [] as number[], overdue: [] as number[] };
  const nodes = await ctx.db.node.findMany({ take: 12, select: { id: true } });
  const until = performance.now() + forMs;
  do {
    const now = { ...ctx, now: new Date() };
    timings.list.push(
      await timed(() => listNodes(now, listNodesSchema.parse({ sort: "cpuUtilizationRatio", direction: "desc" }))),
    );
    timings.chart.push(
      await timed(() =>
        querySeries(now, {
          subjectIds: nodes.map((node) => node.id),
          metrics: ["cpuUtilizationRatio"],
          from: new Date(Date.now() - 3_600_000),
          to: new Date(),
          maxPoints: 300,
        }),
      ),
    );
    timings.overdue.push(await overdueSeconds(ctx.db));
    await sleep(queryEveryMs);
  } while (performance.now() < until);
  return timings;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function overdueSeconds(db: Db): Promise<number> {
  const { _min } = await db.rollupTask.aggregate({ _min: { dueAt: true } });
  return _min.dueAt ? Math.max(0, (Date.now() - _min.dueAt.getTime()) / 1_000) : 0;
}

async function sizesOf(db: Db): Promise<string> {
  const rows = await db.$queryRaw<{ text: string }[]>`
    SELECT format('%s samples take %s in the table and %s in its indexes; %s of write-ahead log, %s of it full pages; node_status: %s of %s updates stayed on their page',
      (SELECT sum(n_tup_ins) FROM pg_stat_user_tables WHERE relname LIKE 'sample_20%'),
      (SELECT pg_size_pretty(sum(pg_relation_size(relid))) FROM pg_stat_user_tables WHERE relname LIKE 'sample_20%'),
      (SELECT pg_size_pretty(sum(pg_indexes_size(relid))) FROM pg_stat_user_tables WHERE relname LIKE 'sample_20%'),
      (SELECT pg_size_pretty(wal_bytes) FROM pg_stat_wal), (SELECT wal_fpi FROM pg_stat_wal),
      (SELECT n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'node_status'),
      (SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'node_status')) AS text`;
  return rows[0]?.text ?? "";
}
