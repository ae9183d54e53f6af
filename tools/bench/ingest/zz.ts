import { openDb } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { checkReport, Partitions, recordReports, SeriesIds } from "@fairlead/services/gateway";
import { startBenchServer } from "./server.ts";

const server = await startBenchServer(45991);
const db = openDb(server.url, { connections: 4 });
const organizationId = newId("organization"),
  clusterId = newId("cluster");
await db.organization.create({ data: { id: organizationId, name: "B", slug: "b" } });
await db.cluster.create({ data: { id: clusterId, organizationId, name: "b", kind: "machines" } });
const agents: any[] = [];
for (let i = 0; i < 1000; i++) {
  const nodeId = newId("node"),
    agentId = newId("agent");
  agents.push({
    agentId,
    nodeId,
    nodeName: "n" + i,
    clusterId,
    organizationId,
    roles: ["node"],
    certificateSerial: agentId,
    previousSerial: null,
    revokedAt: null,
    revision: 0,
  });
}
await db.node.createMany({
  data: agents.map((a) => ({ id: a.nodeId, organizationId, clusterId, name: a.nodeName, settings: {} })),
});
await db.agent.createMany({
  data: agents.map((a) => ({
    id: a.agentId,
    organizationId,
    nodeId: a.nodeId,
    roles: ["node"],
    certificateSerial: a.agentId,
    certificateExpiresAt: new Date(),
  })),
});
const store = { db, partitions: new Partitions(), seriesIds: new SeriesIds() };
let seq = 0;
const per = Number(process.argv[2] ?? 200),
  series = Number(process.argv[3] ?? 20);
async function round(offset: number) {
  seq++;
  const at = Date.now();
  const names = ["cpuUtilizationRatio", "load1", "load5", "interfaceReceiveBps"];
  const batch = agents
    .slice(offset, offset + per)
    .map((agent) => ({
      agent,
      report: checkReport(
        {
          bootId: "b",
          sequence: seq,
          observedRevision: 1,
          configError: "",
          corrections: 0,
          droppedReports: 0,
          facts: null,
          version: null,
          warnings: [],
          series: [...Array(series).keys()].map((i) => ({
            metric: names[i % 4]!,
            labels: i < 4 ? {} : { interface: "e" + i },
            atMs: [0, 1, 2, 3, 4].map((k) => at - k * 1000),
            values: [1, 2, 3, 4, 5],
          })),
        },
        new Date(),
      ),
    }));
  const t = performance.now();
  await recordReports(store, batch);
  return performance.now() - t;
}
for (let i = 0; i < 1000; i += per) await round(i);
for (let i = 0; i < 1000; i += per) await round(i);
const times: number[] = [];
const c0 = process.cpuUsage();
const w0 = performance.now();
for (let k = 0; k < 6; k++)
  for (let i = 0; i < 1000; i += per) {
    times.push(await round(i));
  }
const c = process.cpuUsage(c0);
times.sort((a, b) => a - b);
console.log({
  per,
  points: per * series * 5,
  median: times[times.length >> 1],
  min: times[0],
  max: times.at(-1),
  rate: (times.length * per * series * 5) / ((performance.now() - w0) / 1000),
  nodeCpu: (c.user + c.system) / 1000 / (performance.now() - w0),
});
console.log(
  await db.$queryRawUnsafe(
    "explain (analyze, buffers, wal) INSERT INTO sample (series_id, at, value) select s, now() - (k || ' ms')::interval, 1 from generate_series(1,5000) s, generate_series(1,4) k on conflict do nothing",
  ),
);
await db.$disconnect();
await server.stop();
