import type { WatchResponse } from "@fairlead/agent-protocol";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { loopMetrics, nodeReconciler, startLoop } from "@fairlead/reconciler";
import { getNode, type ServiceContext, updateNode } from "@fairlead/services";
import { createTestCluster, createTestKey, createTestOrganization } from "@fairlead/services/testing";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Gateway, startGateway } from "../index.ts";
import { asTestAgent, enrollTestAgent, type TestAgent } from "../testing/test-agent.ts";

// A database restored from a backup lacks the latest revisions of a config, and the renewal of a certificate.

const patience = { timeout: 60_000, interval: 50 };

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
let gateway: Gateway;
let loop: Awaited<ReturnType<typeof startLoop>>;
let agent: TestAgent;

beforeAll(async () => {
  database = await createTestDatabase({ connections: 15 });
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
  const { db, url: databaseUrl } = database;
  const secret = "a-secret-of-thirty-two-characters!";
  gateway = await startGateway({ db, databaseUrl, secret, host: "127.0.0.1", port: 0, log: silentLog, pollMs: 500 });
  const metrics = loopMetrics(createMetrics(), db);
  loop = await startLoop({ db, listenUrl: databaseUrl, reconcilers: [nodeReconciler], log: silentLog, metrics });
});
afterAll(async () => {
  agent.close();
  await loop.stop(1_000);
  await gateway.stop();
  await database.drop();
});
beforeEach(async () => {
  agent?.close();
  agent = await enrollTestAgent(ctx, gateway.port, clusterId);
  await vi.waitFor(async () => expect((await config()).revision).toBe(1), patience);
});

describe("after a restored backup, an agent that is ahead", () => {
  it("is not shown as in sync, and gets the current config under a revision that is new to it", async () => {
    const backup = await remember();
    await save(10_000, 2);
    const ahead = await save(20_000, 3);
    await runs(ahead);
    expect(await state()).toBe("in-sync");

    await restore(backup);
    await runs(ahead);
    expect(await state()).toBe("out-of-sync");
    expect(await nextConfig(3n)).toMatchObject({ revision: 4n, digest: backup.config.digest });
  });

  it("also gets it if only its stream showed the revision, because it rejected the config", async () => {
    await runs(await config());
    expect(await nextConfig(12n)).toMatchObject({ revision: 13n, digest: (await config()).digest });
  });

  it("is distinguished from an agent that runs another config with the same revision", async () => {
    const backup = await remember();
    const held = await save(10_000, 2);
    await restore(backup);
    const wanted = await save(20_000, 2);
    await runs(held);
    expect(await state()).toBe("out-of-sync");
    expect(await nextConfig(2n)).toMatchObject({ revision: 3n, digest: wanted.digest });
    await runs({ revision: 3, digest: wanted.digest });
    expect(await state()).toBe("in-sync");
    await settled();
    expect((await config()).revision).toBe(3);
  });

  it("is in sync if it runs the desired config, or if it is too old to report a digest", async () => {
    const { digest } = await config();
    await runs({ revision: 1, digest });
    expect(await state()).toBe("in-sync");
    await runs({ revision: 1, digest: "" });
    expect(await state()).toBe("in-sync");
    await settled();
    expect((await config()).revision).toBe(1);
  });

  it("is accepted with a certificate that was issued after the backup", async () => {
    const where = { id: agent.agentId };
    const before = await database.db.agent.findUniqueOrThrow({ where });
    const { certificateSerial, previousSerial } = before;
    const key = await createTestKey();
    const { certificate } = await agent.client.renew({ certificateRequest: key.certificateRequest });
    // Certificates have times in seconds, and a backup is older than this test.
    const certificateExpiresAt = new Date(before.certificateExpiresAt.getTime() - 60_000);
    await database.db.agent.update({ where, data: { certificateSerial, previousSerial, certificateExpiresAt } });

    const renewed = asTestAgent(gateway.port, key, { ...agent, certificate });
    await vi.waitFor(() => renewed.report({}), patience);
    await renewed.client.renew({ certificateRequest: (await createTestKey()).certificateRequest });
    await renewed.report({});
    renewed.close();
  });
});

type Config = { revision: number; digest: string };

function config() {
  return database.db.nodeConfig.findUniqueOrThrow({ where: { agentId: agent.agentId } });
}

/** save changes the settings, and returns the config that the reconciler compiled from them. */
async function save(sampleIntervalMs: number, revision: number): Promise<Config> {
  await updateNode({ ...ctx, now: new Date() }, agent.nodeId, { settings: { sampleIntervalMs } });
  await vi.waitFor(async () => expect((await config()).revision).toBe(revision), patience);
  return config();
}

function runs({ revision, digest }: Config) {
  return agent.report({ observedRevision: BigInt(revision), observedDigest: digest });
}

async function state(): Promise<string> {
  return (await getNode({ ...ctx, now: new Date() }, agent.nodeId)).state;
}

async function remember() {
  const { settings } = await database.db.node.findUniqueOrThrow({ where: { id: agent.nodeId } });
  return { config: await config(), settings: settings as object };
}

/** restore restores the rows while no reconciler runs. */
async function restore({ config: { agentId, ...config }, settings }: Awaited<ReturnType<typeof remember>>) {
  await settled();
  await database.db.$transaction([
    database.db.node.update({ where: { id: agent.nodeId }, data: { settings } }),
    database.db.nodeConfig.update({ where: { agentId }, data: { ...config, config: config.config as object } }),
    database.db.nodeStatus.deleteMany({ where: { agentId } }),
  ]);
}

/** settled waits until the reconciler is idle. */
async function settled(): Promise<void> {
  await vi.waitFor(async () => {
    const open = { objectId: agent.nodeId, OR: [{ dueAt: { lte: new Date() } }, { lease: { not: null } }] };
    expect(await database.db.reconcileTask.count({ where: open })).toBe(0);
  }, patience);
}

/** nextConfig watches as an agent with the given revision, until it gets another one. */
async function nextConfig(revision: bigint): Promise<unknown> {
  const stream = agent.client.watch({ info: { version: "1.0.0", roles: ["node"] }, revision });
  const messages: AsyncIterator<WatchResponse> = stream[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await messages.next();
    if (done) throw new Error("the stream ended");
    if (value.message.case === "config") return value.message.value;
  }
}
