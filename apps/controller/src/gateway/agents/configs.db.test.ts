import { Code, ConnectError } from "@connectrpc/connect";
import { updateAgent } from "@fairlead/services";
import { notifyAgents } from "@fairlead/services/gateway";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayStage, setGatewayStage } from "../testing/gateway-stage.ts";
import { nextConfig, type TestAgent, watch } from "../testing/test-agent.ts";

let stage: GatewayStage;
beforeAll(async () => {
  stage = await setGatewayStage({ keepAliveMs: 200, pollMs: 500 });
});
afterAll(() => stage.close());

describe("configs", () => {
  it("arrive complete, in order, newest only, and only if newer than what the agent has", async () => {
    const agent = await stage.enroll();
    await setConfig(agent, 3);
    const fresh = watch(agent.client, 0);
    expect(await nextConfig(fresh)).toBe(3);
    const current = watch(agent.client, 3);
    await current.next();
    await setConfig(agent, 4);
    expect(await nextConfig(fresh)).toBe(4);
    expect(await nextConfig(current)).toBe(4);
    await setConfig(agent, 2);
    await setConfig(agent, 9);
    expect(await nextConfig(fresh)).toBe(9);
  });

  it("also arrive if their notification is lost", async () => {
    const agent = await stage.enroll();
    const stream = watch(agent.client, 0);
    await stream.next();
    await setConfig(agent, 1, { silently: true });
    expect(await nextConfig(stream)).toBe(1);
  });

  it("also arrive after the listening connection was closed", async () => {
    const agent = await stage.enroll();
    const stream = watch(agent.client, 0);
    await stream.next();
    await stage.database.db
      .$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fairlead-gateway-listen' AND datname = current_database()`;
    await setConfig(agent, 1);
    expect(await nextConfig(stream)).toBe(1);
  });

  it("come with keep-alives, starting with one", async () => {
    const agent = await stage.enroll();
    const stream = watch(agent.client, 0);
    for (let count = 0; count < 3; count++) expect((await stream.next()).value.message.case).toBe("keepAlive");
  });

  it("follow an agent to another gateway when its own stops", async () => {
    const other = await stage.start();
    const agent = stage.reconnect(await stage.enroll(), other);
    await setConfig(agent, 5);
    const stream = watch(agent.client, 0);
    expect(await nextConfig(stream)).toBe(5);
    const ended = nextConfig(stream).catch(ConnectError.from);
    await other.stop();
    expect(await ended).toMatchObject({ code: Code.Unavailable });
    expect(await nextConfig(watch(stage.reconnect(agent, stage.gateway).client, 0))).toBe(5);
  });

  it("include the roles that an agent reconnects with, as soon as an owner allows them", async () => {
    const agent = await stage.enroll();
    await updateAgent(stage.ctx, agent.agentId, { allowedRoles: ["node", "balancer"] });
    await stage.database.db.reconcileTask.deleteMany();
    const stream = watch(agent.client, 0, ["node", "balancer"]);
    await stream.next();
    const stored = await stage.database.db.agent.findUnique({ where: { id: agent.agentId } });
    expect(stored?.roles).toEqual(["balancer", "node"]);
    expect(await stage.database.db.reconcileTask.count({ where: { objectId: agent.nodeId } })).toBe(1);
  });
});

async function setConfig(agent: TestAgent, revision: number, how: { silently?: boolean } = {}): Promise<void> {
  const config = { reportIntervalMs: 5_000, node: { sampleIntervalMs: 1_000, excludedInterfaces: ["lo"] } };
  const data = { nodeId: agent.nodeId, revision, digest: `digest-${revision}`, config, compiledAt: new Date() };
  const { agentId } = agent;
  await stage.database.db.nodeConfig.upsert({ where: { agentId }, create: { agentId, ...data }, update: data });
  if (!how.silently) await notifyAgents(stage.database.db, [agentId]);
}
