import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { compileNodeConfig, nodeSettings } from "@fairlead/domain/node";
import { queryRoutingTable, querySeries, revokeAgent, type ServiceContext } from "@fairlead/services";
import { notifyAgents } from "@fairlead/services/gateway";
import { createTestCluster, createTestOrganization } from "@fairlead/services/testing";
import { silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Gateway, startGateway } from "../index.ts";
import { createTestToken } from "../testing/test-agent.ts";

const agentsFolder = path.resolve(import.meta.dirname, "../../../../../agents");
const patience = { timeout: 90_000, interval: 50 };

let database: TestDatabase;
let ctx: ServiceContext;
let folder: string;
let binary: string;
let gateway: Gateway;
let agent: ChildProcess | undefined;
const output: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "fairlead-go-agent-"));
  binary = path.join(folder, "fairlead-agent");
  await promisify(execFile)("go", ["build", "-o", binary, "./cmd/fairlead-agent"], { cwd: agentsFolder });
  database = await createTestDatabase({ connections: 10 });
  ctx = await createTestOrganization(database.db);
  gateway = await start(0);
}, 300_000);
afterAll(async () => {
  agent?.kill("SIGKILL");
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

it("the real agent enrols, applies a config, fills a chart, and survives a gateway restart until it is revoked", async () => {
  const { cluster } = await createTestCluster(ctx);
  const token = await createTestToken(ctx, cluster.id, { nodeName: "rack-1" });
  agent = run(token);

  const { agentId, nodeId } = await vi.waitFor(enrolled, patience);
  await setConfig(agentId, nodeId, 1, 1_000);
  await vi.waitFor(
    async () => expect(await status(agentId)).toMatchObject({ observedRevision: 1, configError: "" }),
    patience,
  );
  await vi.waitFor(async () => expect(await cpuPoints(nodeId)).toBeGreaterThan(1), patience);
  const { facts, cpuUtilizationRatio, memoryUsedRatio } = await status(agentId);
  expect(facts).toMatchObject({ cpuCount: os.cpus().length });
  expect(cpuUtilizationRatio).toBeTypeOf("number");
  expect(memoryUsedRatio).toBeGreaterThan(0);

  // A role without routes reports that, through the whole path and back.
  await database.db.agent.update({ where: { id: agentId }, data: { roles: ["reflector"] } });
  const { answers } = await queryRoutingTable(
    { ...ctx, now: new Date() },
    { agentId, after: "", kernel: false, limit: 1 },
  );
  expect(answers).toMatchObject([
    { state: "refused", message: "rack-1 could not answer: this role doesn't support queries." },
  ]);
  await database.db.agent.update({ where: { id: agentId }, data: { roles: ["node"] } });

  const { port } = gateway;
  await gateway.stop();
  await setConfig(agentId, nodeId, 2, 2_000);
  const { sequence } = await status(agentId);
  await sleep(2_500); // it continues measuring meanwhile
  gateway = await start(port);
  await vi.waitFor(async () => expect(await status(agentId)).toMatchObject({ observedRevision: 2 }), patience);
  const after = await status(agentId);
  expect(Number(after.sequence)).toBeGreaterThan(Number(sequence) + 1);
  expect(Number(after.droppedReports)).toBe(0);
  expect(await events(nodeId)).toEqual(["AgentEnrolled", "AgentReporting", "ConfigApplied", "ConfigApplied"]);

  await revokeAgent({ ...ctx, now: new Date() }, agentId);
  await vi.waitFor(() => expect(output.join("")).toContain("refuses this agent"), patience);
}, 120_000);

function start(port: number): Promise<Gateway> {
  const { db, url: databaseUrl } = database;
  const secret = "a-secret-of-thirty-two-characters!";
  return startGateway({ db, databaseUrl, secret, host: "127.0.0.1", port, log: silentLog, stopWithinMs: 500 });
}

function run(token: string): ChildProcess {
  const address = `https://127.0.0.1:${gateway.port}`;
  const child = spawn(binary, ["node", "--control-plane", address, "--state", folder, "--node-name", "rack-1"], {
    env: { PATH: process.env.PATH, FAIRLEAD_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  return child;
}

async function enrolled(): Promise<{ agentId: string; nodeId: string }> {
  const found = await database.db.agent.findFirst({ where: { node: { name: "rack-1" } } });
  if (!found) throw new Error(`not enrolled; the agent's output: ${output.join("")}`);
  return { agentId: found.id, nodeId: found.nodeId };
}

/** Does what the reconciler would do. */
async function setConfig(agentId: string, nodeId: string, revision: number, sampleIntervalMs: number): Promise<void> {
  const settings = nodeSettings.parse({ sampleIntervalMs, reportIntervalMs: 1_000 });
  const config = compileNodeConfig({ settings, agent: { roles: ["node"] } });
  const data = { nodeId, revision, digest: `digest-${revision}`, config, compiledAt: new Date() };
  await database.db.nodeConfig.upsert({ where: { agentId }, create: { agentId, ...data }, update: data });
  await notifyAgents(database.db, [agentId]);
}

function status(agentId: string) {
  return database.db.nodeStatus.findUniqueOrThrow({ where: { agentId } });
}

async function cpuPoints(nodeId: string): Promise<number> {
  const now = new Date();
  const { series } = await querySeries(
    { ...ctx, now },
    {
      subjectIds: [nodeId],
      metrics: ["cpuUtilizationRatio"],
      from: new Date(now.getTime() - 60_000),
      to: now,
      maxPoints: 300,
    },
  );
  return series[0]?.points.length ?? 0;
}

async function events(nodeId: string): Promise<string[]> {
  const rows = await database.db.event.findMany({
    where: { subjectId: nodeId },
    orderBy: [{ at: "asc" }, { id: "asc" }],
  });
  return rows.map((row) => row.reason);
}
