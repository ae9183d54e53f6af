import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { BalancerStatusSchema, BgpStatusSchema } from "@fairlead/agent-protocol";
import { createTestKey } from "@fairlead/services/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type GatewayStage, setGatewayStage } from "../testing/gateway-stage.ts";
import { connect, createTestToken } from "../testing/test-agent.ts";

let stage: GatewayStage;
beforeAll(async () => {
  stage = await setGatewayStage({ keepAliveMs: 200, pollMs: 500 });
});
afterAll(() => stage.close());

describe("enrolment", () => {
  it("accepts a token exactly once, however many machines race for it", async () => {
    const token = await createTestToken(stage.ctx, stage.clusterId);
    const machines = await Promise.all(
      [1, 2, 3, 4, 5].map(async (number) => {
        const { certificateRequest } = await createTestKey();
        const connection = connect(stage.gateway.port);
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
    expect(await stage.database.db.node.count({ where: { name: { startsWith: "racer-" } } })).toBe(1);
  });

  it("gives a machine the same identity again if the answer was lost", async () => {
    const token = await createTestToken(stage.ctx, stage.clusterId);
    const { certificateRequest } = await createTestKey();
    const connection = connect(stage.gateway.port);
    const first = await connection.client.enroll({ token, certificateRequest, nodeName: "forgetful" });
    const second = await connection.client.enroll({ token, certificateRequest, nodeName: "forgetful" });
    connection.close();
    expect(second.agentId).toBe(first.agentId);
    expect(await stage.database.db.agent.count({ where: { nodeId: first.nodeId } })).toBe(1);
  });

  it("accepts a reusable token from every machine, and a repeated request for the same identity", async () => {
    const token = await createTestToken(stage.ctx, stage.clusterId, { reusable: true });
    const connection = connect(stage.gateway.port);
    const join = async (nodeName: string, { certificateRequest }: { certificateRequest: Uint8Array }) =>
      (await connection.client.enroll({ token, certificateRequest, nodeName })).agentId;
    const [first, second] = [await createTestKey(), await createTestKey()];
    const joined = [await join("pod-host-1", first), await join("ip-10-0-0-2.eu-central-1.compute.internal", second)];
    expect(await join("pod-host-1", first)).toBe(joined[0]);
    connection.close();
    expect(new Set(joined).size).toBe(2);
    const named = { name: "ip-10-0-0-2-eu-central-1-compute-internal" };
    expect(await stage.database.db.node.findFirst({ where: named })).not.toBeNull();
    const stored = await stage.database.db.enrollmentToken.findFirst({ where: { isReusable: true } });
    expect(stored).toMatchObject({ uses: 2, agentId: joined[1] });
    await stage.database.db.enrollmentToken.updateMany({
      where: { isReusable: true },
      data: { expiresAt: new Date(0) },
    });
    expect((await refusedEnrolment({ token })).rawMessage).toContain("expired");
  });

  it("accepts a token for certain roles only from agents with these roles", async () => {
    const token = await createTestToken(stage.ctx, stage.clusterId, { reusable: true, roles: ["balancer", "speaker"] });
    const error = await refusedEnrolment({ token, info: { roles: ["router"] } });
    expect(error.code).toBe(Code.PermissionDenied);
    expect(error.rawMessage).toContain("for agents of the roles balancer and speaker, and this one is a router");
    const connection = connect(stage.gateway.port);
    const { certificateRequest } = await createTestKey();
    const request = { token, certificateRequest, nodeName: "role-1", info: { roles: ["balancer"] } };
    const { agentId } = await connection.client.enroll(request);
    connection.close();
    expect(await stage.database.db.agent.findUnique({ where: { id: agentId } })).toMatchObject({
      roles: ["balancer"],
      allowedRoles: ["balancer", "speaker"],
    });
  });

  it("limits an agent to the roles of its token, or those that it enrolled with: it gets no config for others", async () => {
    const agent = await stage.enroll("node-only");
    const [stream] = [agent.client.watch({ info: { version: "1.0.0", roles: ["node", "router"] } })];
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: Code.PermissionDenied,
      rawMessage: expect.stringContaining("may run as node, not as router"),
    });
    for (const forged of [
      { info: { version: "1.0.0", roles: ["node", "router"] } as never },
      { balancer: create(BalancerStatusSchema, {}) },
      { bgp: create(BgpStatusSchema, { sessions: [{}] }) },
    ])
      await expect(agent.report(forged)).rejects.toMatchObject({ code: Code.PermissionDenied });
    await agent.report({ bgp: create(BgpStatusSchema, { address: "192.0.2.1" }) });
    const action = "agent.refuse-roles";
    const audited = await stage.database.db.auditEntry.findMany({ where: { action, subjectId: agent.agentId } });
    expect(audited.map((each) => each.after)).toEqual(
      ["router", "balancer", "speaker"].map((role) => ({ roles: [role] })),
    );
    agent.close();
  });

  it.each([
    ["nonsense", () => "nonsense"],
    ["an unknown token", (token: string) => withFields(token, { i: "enr_00000000000000000000000000" })],
    ["a wrong secret", (token: string) => withFields(token, { s: "wrong" })],
  ])("rejects %s with the same message", async (_, falsify) => {
    const token = falsify(await createTestToken(stage.ctx, stage.clusterId));
    const error = await refusedEnrolment({ token });
    expect(error.code).toBe(Code.Unauthenticated);
    expect(error.rawMessage).toMatch(/^This enrolment token is not one of this control plane's/);
  });

  it("rejects an expired token", async () => {
    const token = await createTestToken(stage.ctx, stage.clusterId);
    await stage.database.db.enrollmentToken.updateMany({ where: { usedAt: null }, data: { expiresAt: new Date(0) } });
    expect((await refusedEnrolment({ token })).rawMessage).toContain("expired");
  });

  it("accepts a token for a node only from that node", async () => {
    const token = await createTestToken(stage.ctx, stage.clusterId, { nodeName: "rack-1" });
    const error = await refusedEnrolment({ token, nodeName: "rack-2" });
    expect(error.rawMessage).toContain("for the node rack-1 only");
    const connection = connect(stage.gateway.port);
    const { certificateRequest } = await createTestKey();
    const made = await connection.client.enroll({ token, certificateRequest });
    connection.close();
    expect(await stage.database.db.node.findUnique({ where: { id: made.nodeId } })).toMatchObject({ name: "rack-1" });
  });

  it("derives a name from a hostname, and rejects an invalid name from the user", async () => {
    const connection = connect(stage.gateway.port);
    const { certificateRequest } = await createTestKey();
    const token = await createTestToken(stage.ctx, stage.clusterId);
    const hostname = "IP-10-0-0-4.eu.internal";
    const made = await connection.client.enroll({ token, certificateRequest, nodeName: hostname, info: { hostname } });
    connection.close();
    const node = await stage.database.db.node.findUnique({ where: { id: made.nodeId } });
    expect(node?.name).toBe("ip-10-0-0-4-eu-internal");
    const error = await refusedEnrolment({
      token: await createTestToken(stage.ctx, stage.clusterId),
      nodeName: "No Name",
    });
    expect(error.code).toBe(Code.InvalidArgument);
  });

  it("replaces a silent agent of the same node, and a reporting one only with a token for that node", async () => {
    const first = await stage.enroll("same-name");
    await first.report({});
    const error = await stage.enroll("same-name").catch(ConnectError.from);
    expect(error).toMatchObject({ code: Code.FailedPrecondition });
    await stage.database.db.nodeStatus.update({
      where: { agentId: first.agentId },
      data: { lastReportAt: new Date(0) },
    });
    const second = await stage.enroll("same-name");
    expect(second.nodeId).toBe(first.nodeId);
    await vi.waitFor(() => expect(first.report({})).rejects.toThrow("revoked"), { timeout: 30_000 });
    await second.report({});
  });

  it("leaves an audit entry, an event, a feed entry and a task for the reconciler", async () => {
    const agent = await stage.enroll();
    const where = { organizationId: stage.ctx.organizationId };
    expect(await stage.database.db.auditEntry.count({ where: { ...where, subjectId: agent.agentId } })).toBe(1);
    expect(await stage.database.db.event.count({ where: { subjectId: agent.nodeId, reason: "AgentEnrolled" } })).toBe(
      1,
    );
    expect(await stage.database.db.feedEntry.count({ where: { subjectId: agent.agentId } })).toBe(1);
    expect(await stage.database.db.reconcileTask.count({ where: { kind: "node", objectId: agent.nodeId } })).toBe(1);
  });
});

async function refusedEnrolment(request: {
  token: string;
  nodeName?: string;
  info?: { roles: string[] };
}): Promise<ConnectError> {
  const connection = connect(stage.gateway.port);
  const { certificateRequest } = await createTestKey();
  try {
    await connection.client.enroll({ nodeName: "refused", ...request, certificateRequest });
  } catch (error) {
    return ConnectError.from(error);
  } finally {
    connection.close();
  }
  throw new Error("the enrolment was not rejected");
}

function withFields(token: string, changes: object): string {
  const parsed = JSON.parse(Buffer.from(token.slice(4), "base64url").toString());
  return `fl1_${Buffer.from(JSON.stringify({ ...parsed, ...changes })).toString("base64url")}`;
}
