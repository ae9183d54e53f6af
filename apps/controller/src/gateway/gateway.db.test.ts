import { connect as connectHttp2 } from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { revokeAgent, type ServiceContext } from "@fairlead/services";
import {
  ensureAuthority,
  notifyAgents,
  readCertificateRequest,
  signAgentCertificate,
} from "@fairlead/services/gateway";
import { createTestCluster, createTestKey, createTestOrganization } from "@fairlead/services/testing";
import { silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Gateway, type GatewayOptions, startGateway } from "./index.ts";
import {
  asTestAgent,
  connect,
  cpuPoint,
  createTestToken,
  enrollTestAgent,
  nextConfig,
  type TestAgent,
} from "./testing/test-agent.ts";

const secret = "a-secret-of-thirty-two-characters!";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
let gateway: Gateway;
const agents: TestAgent[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ connections: 10 });
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
  gateway = await start();
});
afterAll(async () => {
  for (const agent of agents) agent.close();
  await gateway.stop();
  await database.drop();
});

describe("enrolment", () => {
  it("takes a token exactly once, however many machines race for it", async () => {
    const token = await createTestToken(ctx, clusterId);
    const machines = await Promise.all(
      [1, 2, 3, 4, 5].map(async (number) => {
        const { certificateRequest } = await createTestKey();
        const connection = connect(gateway.port);
        const outcome = connection.client.enroll({ token, certificateRequest, nodeName: `racer-${number}` });
        return outcome
          .then(
            (made) => made.agentId,
            (error) => ConnectError.from(error).rawMessage,
          )
          .finally(connection.close);
      }),
    );
    const refused = machines.filter((outcome) => outcome.includes("used already"));
    expect(refused).toHaveLength(4);
    expect(await database.db.node.count({ where: { name: { startsWith: "racer-" } } })).toBe(1);
  });

  it("gives a machine whose answer got lost the same identity again", async () => {
    const token = await createTestToken(ctx, clusterId);
    const { certificateRequest } = await createTestKey();
    const connection = connect(gateway.port);
    const first = await connection.client.enroll({ token, certificateRequest, nodeName: "forgetful" });
    const second = await connection.client.enroll({ token, certificateRequest, nodeName: "forgetful" });
    connection.close();
    expect(second.agentId).toBe(first.agentId);
    expect(await database.db.agent.count({ where: { nodeId: first.nodeId } })).toBe(1);
  });

  it.each([
    ["nonsense", () => "nonsense"],
    ["a token of nobody", (token: string) => retold(token, { i: "enr_00000000000000000000000000" })],
    ["a wrong secret", (token: string) => retold(token, { s: "wrong" })],
  ])("refuses %s in one and the same sentence", async (_, falsify) => {
    const token = falsify(await createTestToken(ctx, clusterId));
    const error = await refusedEnrolment({ token });
    expect(error.code).toBe(Code.Unauthenticated);
    expect(error.rawMessage).toMatch(/^This enrollment token is not one of this control plane's/);
  });

  it("refuses an expired token", async () => {
    const token = await createTestToken(ctx, clusterId);
    await database.db.enrollmentToken.updateMany({ where: { usedAt: null }, data: { expiresAt: new Date(0) } });
    expect((await refusedEnrolment({ token })).rawMessage).toContain("expired");
  });

  it("holds a token that names a node to that node", async () => {
    const token = await createTestToken(ctx, clusterId, "rack-1");
    const error = await refusedEnrolment({ token, nodeName: "rack-2" });
    expect(error.rawMessage).toContain("for the node rack-1 only");
    const connection = connect(gateway.port);
    const { certificateRequest } = await createTestKey();
    const made = await connection.client.enroll({ token, certificateRequest });
    connection.close();
    expect(await database.db.node.findUnique({ where: { id: made.nodeId } })).toMatchObject({ name: "rack-1" });
  });

  it("makes a name of a hostname, and refuses a typed one that is none", async () => {
    const connection = connect(gateway.port);
    const { certificateRequest } = await createTestKey();
    const token = await createTestToken(ctx, clusterId);
    const hostname = "IP-10-0-0-4.eu.internal";
    const made = await connection.client.enroll({ token, certificateRequest, nodeName: hostname, info: { hostname } });
    connection.close();
    const node = await database.db.node.findUnique({ where: { id: made.nodeId } });
    expect(node?.name).toBe("ip-10-0-0-4-eu-internal");
    const error = await refusedEnrolment({ token: await createTestToken(ctx, clusterId), nodeName: "No Name" });
    expect(error.code).toBe(Code.InvalidArgument);
  });

  it("replaces a silent agent of the same node, and a speaking one only with a token for that node", async () => {
    const first = await enroll("same-name");
    await first.report({});
    const error = await enroll("same-name").catch(ConnectError.from);
    expect(error).toMatchObject({ code: Code.FailedPrecondition });
    await database.db.nodeStatus.update({ where: { agentId: first.agentId }, data: { lastReportAt: new Date(0) } });
    const second = await enroll("same-name");
    expect(second.nodeId).toBe(first.nodeId);
    await vi.waitFor(() => expect(first.report({})).rejects.toThrow("revoked"));
    await second.report({});
  });

  it("leaves an audit entry, an event, a feed entry and a task for the reconciler", async () => {
    const agent = await enroll();
    const where = { organizationId: ctx.organizationId };
    expect(await database.db.auditEntry.count({ where: { ...where, subjectId: agent.agentId } })).toBe(1);
    expect(await database.db.event.count({ where: { subjectId: agent.nodeId, reason: "AgentEnrolled" } })).toBe(1);
    expect(await database.db.feedEntry.count({ where: { subjectId: agent.agentId } })).toBe(1);
    expect(await database.db.reconcileTask.count({ where: { kind: "node", objectId: agent.nodeId } })).toBe(1);
  });
});

describe("identity", () => {
  it("is demanded of every call but enrolment", async () => {
    const stranger = connect(gateway.port);
    await expect(stranger.client.report({ bootId: "b", sequence: 1n })).rejects.toThrow("needs a client certificate");
    await expect(stranger.client.renew({})).rejects.toThrow("needs a client certificate");
    await expect(nextConfig(watch(stranger.client, 0))).rejects.toThrow("needs a client certificate");
    stranger.close();
  });

  it("of another certificate authority counts for nothing", async () => {
    const agent = await enroll();
    const other = await createTestDatabase();
    const authority = await ensureAuthority(other.db, secret, new Date());
    const key = await createTestKey();
    const forged = await signAgentCertificate(
      authority,
      await readCertificateRequest(key.certificateRequest),
      agent.agentId,
      new Date(),
    );
    const forger = connect(gateway.port, { key: key.key, certificate: forged.der });
    await expect(forger.client.report({ bootId: "b", sequence: 1n })).rejects.toThrow("needs a client certificate");
    forger.close();
    await other.drop();
  });

  it("ends with its certificate, also on a connection that is open already", async () => {
    let now = new Date();
    const later = await start({ now: () => now });
    const agent = reconnect(await enroll(), later);
    await agent.report({});
    now = new Date(now.getTime() + 31 * 24 * 3_600_000);
    await expect(agent.report({})).rejects.toThrow("ran out");
    await later.stop();
  });

  it("is renewed, and the certificate before stays good until the one after next", async () => {
    const first = await enroll();
    const renew = async (agent: TestAgent) => {
      const key = await createTestKey();
      const { certificate } = await agent.client.renew({ certificateRequest: key.certificateRequest });
      const { agentId, nodeId } = agent;
      return track(asTestAgent(gateway.port, key, { agentId, nodeId, certificate }));
    };
    await renew(first); // its answer gets lost
    const second = await renew(first);
    await first.report({ sequence: 1 });
    await second.report({ sequence: 2 });
    const third = await renew(second);
    await second.report({ sequence: 3 });
    await third.report({ sequence: 4 });
    await expect(first.report({ sequence: 5 })).rejects.toThrow("renewed its certificate");
  });

  it("is cut off at once when it is revoked: the open stream and every further call", async () => {
    const agent = await enroll();
    await agent.report({});
    const stream = watch(agent.client, 0);
    await stream.next();
    const cut = nextConfig(stream).catch(ConnectError.from);
    const began = performance.now();
    await revokeAgent({ ...ctx, now: new Date() }, agent.agentId);
    expect(await cut).toMatchObject({ code: Code.PermissionDenied });
    expect(performance.now() - began).toBeLessThan(1_000);
    const error = await agent.report({}).catch(ConnectError.from);
    expect(error).toMatchObject({ code: Code.PermissionDenied });
    expect((error as ConnectError).rawMessage).toContain("Enroll it with a new token");
    await expect(agent.client.renew({ certificateRequest: agent.key.certificateRequest })).rejects.toThrow("revoked");
  });

  it("is cut off within a poll when the notification of its revocation is lost", async () => {
    const agent = await enroll();
    const stream = watch(agent.client, 0);
    await stream.next();
    await database.db.agent.update({ where: { id: agent.agentId }, data: { revokedAt: new Date() } });
    expect(await nextConfig(stream).catch(ConnectError.from)).toMatchObject({ code: Code.PermissionDenied });
    await expect(agent.report({})).rejects.toThrow("revoked");
  });

  it("keeps its own gateway's certificate fresh without a restart", async () => {
    let now = new Date();
    const ageing = await start({ now: () => now });
    const before = await serverSerial(ageing.port);
    await ageing.renewCertificate();
    expect(await serverSerial(ageing.port)).toBe(before);
    now = new Date(now.getTime() + 21 * 24 * 3_600_000);
    await ageing.renewCertificate();
    expect(await serverSerial(ageing.port)).not.toBe(before);
    await ageing.stop();
  });
});

describe("configs", () => {
  it("arrive whole, the newest, in order, and only when newer than what the agent has", async () => {
    const agent = await enroll();
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

  it("arrive also when their notification is lost", async () => {
    const agent = await enroll();
    const stream = watch(agent.client, 0);
    await stream.next();
    await setConfig(agent, 1, { silently: true });
    expect(await nextConfig(stream)).toBe(1);
  });

  it("arrive also after the listening connection was cut", async () => {
    const agent = await enroll();
    const stream = watch(agent.client, 0);
    await stream.next();
    await database.db
      .$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fairlead-gateway-listen' AND datname = current_database()`;
    await setConfig(agent, 1);
    expect(await nextConfig(stream)).toBe(1);
  });

  it("say with keep-alives that the stream lives, and begin with one", async () => {
    const agent = await enroll();
    const stream = watch(agent.client, 0);
    for (let count = 0; count < 3; count++) expect((await stream.next()).value.message.case).toBe("keepAlive");
  });

  it("follow an agent to another gateway when its own goes away", async () => {
    const other = await start();
    const agent = reconnect(await enroll(), other);
    await setConfig(agent, 5);
    const stream = watch(agent.client, 0);
    expect(await nextConfig(stream)).toBe(5);
    const ended = nextConfig(stream).catch(ConnectError.from);
    await other.stop();
    expect(await ended).toMatchObject({ code: Code.Unavailable });
    expect(await nextConfig(watch(reconnect(agent, gateway).client, 0))).toBe(5);
  });

  it("reach the roles that an agent comes back with", async () => {
    const agent = await enroll();
    await database.db.reconcileTask.deleteMany();
    const stream = watch(agent.client, 0, ["node", "balancer"]);
    await stream.next();
    const stored = await database.db.agent.findUnique({ where: { id: agent.agentId } });
    expect(stored?.roles).toEqual(["balancer", "node"]);
    expect(await database.db.reconcileTask.count({ where: { objectId: agent.nodeId } })).toBe(1);
  });
});

describe("the server", () => {
  it("survives requests that are no calls", async () => {
    const report = "/fairlead.agent.v1.AgentService/Report";
    const session = connectHttp2(`https://127.0.0.1:${gateway.port}`, { rejectUnauthorized: false });
    for (const headers of [
      { ":path": "/nowhere" },
      { ":path": report, ":authority": "", ":method": "POST", "content-type": "application/proto" },
      { ":path": report, ":authority": "[", ":method": "POST", "content-type": "application/proto" },
      { ":path": report, ":method": "POST", "content-type": "text/plain" },
    ]) {
      const stream = session.request(headers);
      stream.on("error", () => {});
      stream.end();
      stream.resume();
      await new Promise((resolve) => stream.once("close", resolve));
    }
    session.close();
    const agent = await enroll();
    await agent.report({ series: [cpuPoint(0.5)] });
  });
});

async function start(more: Partial<GatewayOptions> = {}): Promise<Gateway> {
  const { db, url } = database;
  const options = { db, databaseUrl: url, secret, host: "127.0.0.1", port: 0, log: silentLog };
  return startGateway({ ...options, keepAliveMs: 200, pollMs: 500, stopWithinMs: 500, ...more });
}

async function enroll(nodeName?: string): Promise<TestAgent> {
  return track(await enrollTestAgent(ctx, gateway.port, clusterId, nodeName));
}

function reconnect(agent: TestAgent, to: Gateway): TestAgent {
  return track(asTestAgent(to.port, agent.key, agent));
}

function track(agent: TestAgent): TestAgent {
  agents.push(agent);
  return agent;
}

function watch(client: TestAgent["client"], revision: number, roles = ["node"]) {
  const info = { version: "1.0.0", roles };
  return client.watch({ info, revision: BigInt(revision) })[Symbol.asyncIterator]();
}

async function setConfig(agent: TestAgent, revision: number, how: { silently?: boolean } = {}): Promise<void> {
  const config = { reportIntervalMs: 5_000, node: { sampleIntervalMs: 1_000, excludedInterfaces: ["lo"] } };
  const data = { nodeId: agent.nodeId, revision, digest: `digest-${revision}`, config, compiledAt: new Date() };
  const { agentId } = agent;
  await database.db.nodeConfig.upsert({ where: { agentId }, create: { agentId, ...data }, update: data });
  if (!how.silently) await notifyAgents(database.db, [agentId]);
}

async function refusedEnrolment(asked: { token: string; nodeName?: string }): Promise<ConnectError> {
  const connection = connect(gateway.port);
  const { certificateRequest } = await createTestKey();
  try {
    await connection.client.enroll({ nodeName: "refused", ...asked, certificateRequest });
  } catch (error) {
    return ConnectError.from(error);
  } finally {
    connection.close();
  }
  throw new Error("the enrolment was not refused");
}

function retold(token: string, changes: object): string {
  const parsed = JSON.parse(Buffer.from(token.slice(4), "base64url").toString());
  return `fl1_${Buffer.from(JSON.stringify({ ...parsed, ...changes })).toString("base64url")}`;
}

async function serverSerial(port: number): Promise<string> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  await new Promise((resolve) => session.once("connect", resolve));
  const { serialNumber } = (session.socket as import("node:tls").TLSSocket).getPeerCertificate();
  session.close();
  return serialNumber;
}
