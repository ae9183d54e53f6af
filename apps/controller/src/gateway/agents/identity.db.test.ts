import { connect as connectHttp2 } from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import { createTestDatabase } from "@fairlead/db/testing";
import { revokeAgent } from "@fairlead/services";
import { ensureAuthority, readCertificateRequest, signAgentCertificate } from "@fairlead/services/gateway";
import { createTestKey } from "@fairlead/services/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayStage, setGatewayStage, testSecret } from "../testing/gateway-stage.ts";
import { asTestAgent, connect, nextConfig, type TestAgent, watch } from "../testing/test-agent.ts";

let stage: GatewayStage;
beforeAll(async () => {
  stage = await setGatewayStage({ keepAliveMs: 200, pollMs: 500 });
});
afterAll(() => stage.close());

describe("identity", () => {
  it("is required for every call except enrolment", async () => {
    const anonymous = connect(stage.gateway.port);
    await expect(anonymous.client.report({ bootId: "b", sequence: 1n })).rejects.toThrow("needs a client certificate");
    await expect(anonymous.client.renew({})).rejects.toThrow("needs a client certificate");
    await expect(nextConfig(watch(anonymous.client, 0))).rejects.toThrow("needs a client certificate");
    anonymous.close();
  });

  it("from another certificate authority is rejected", async () => {
    const agent = await stage.enroll();
    const other = await createTestDatabase();
    const authority = await ensureAuthority(other.db, testSecret, new Date());
    const key = await createTestKey();
    const forged = await signAgentCertificate(
      authority,
      await readCertificateRequest(key.certificateRequest),
      agent.agentId,
      new Date(),
    );
    const forger = connect(stage.gateway.port, { key: key.key, certificate: forged.der });
    await expect(forger.client.report({ bootId: "b", sequence: 1n })).rejects.toThrow("needs a client certificate");
    forger.close();
    await other.drop();
  });

  it("ends with its certificate, even on an open connection", async () => {
    let now = new Date();
    const later = await stage.start({ now: () => now });
    const agent = stage.reconnect(await stage.enroll(), later);
    await agent.report({});
    now = new Date(now.getTime() + 31 * 24 * 3_600_000);
    await expect(agent.report({})).rejects.toThrow("expired at");
    await later.stop();
  });

  it("is renewed, and the previous certificate stays valid until the next renewal", async () => {
    const first = await stage.enroll();
    const renew = async (agent: TestAgent) => {
      const key = await createTestKey();
      const { certificate } = await agent.client.renew({ certificateRequest: key.certificateRequest });
      const { agentId, nodeId } = agent;
      return stage.track(asTestAgent(stage.gateway.port, key, { agentId, nodeId, certificate }));
    };
    await renew(first); // its answer is lost
    const second = await renew(first);
    await first.report({ sequence: 1 });
    await second.report({ sequence: 2 });
    const third = await renew(second);
    await second.report({ sequence: 3 });
    await third.report({ sequence: 4 });
    await expect(first.report({ sequence: 5 })).rejects.toThrow("renewed its certificate");
  });

  it("is rejected at once when it is revoked: the open stream and every further call", async () => {
    const agent = await stage.enroll();
    await agent.report({});
    const stream = watch(agent.client, 0);
    await stream.next();
    const cut = nextConfig(stream).catch(ConnectError.from);
    const began = performance.now();
    await revokeAgent({ ...stage.ctx, now: new Date() }, agent.agentId);
    expect(await cut).toMatchObject({ code: Code.PermissionDenied });
    // At once, and not with the next message on the stream, which would take minutes. A busy machine may need seconds.
    expect(performance.now() - began).toBeLessThan(15_000);
    const error = await agent.report({}).catch(ConnectError.from);
    expect(error).toMatchObject({ code: Code.PermissionDenied });
    expect((error as ConnectError).rawMessage).toContain("Enrol it with a new token");
    await expect(agent.client.renew({ certificateRequest: agent.key.certificateRequest })).rejects.toThrow("revoked");
  });

  it("is rejected within one poll interval if the notification of its revocation is lost", async () => {
    const agent = await stage.enroll();
    const stream = watch(agent.client, 0);
    await stream.next();
    await stage.database.db.agent.update({ where: { id: agent.agentId }, data: { revokedAt: new Date() } });
    expect(await nextConfig(stream).catch(ConnectError.from)).toMatchObject({ code: Code.PermissionDenied });
    await expect(agent.report({})).rejects.toThrow("revoked");
  });

  it("of the gateway is renewed without a restart", async () => {
    let now = new Date();
    const ageing = await stage.start({ now: () => now });
    const before = await serverSerial(ageing.port);
    await ageing.renewCertificate();
    expect(await serverSerial(ageing.port)).toBe(before);
    now = new Date(now.getTime() + 21 * 24 * 3_600_000);
    await ageing.renewCertificate();
    expect(await serverSerial(ageing.port)).not.toBe(before);
    await ageing.stop();
  });
});

async function serverSerial(port: number): Promise<string> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  await new Promise((resolve) => session.once("connect", resolve));
  const { serialNumber } = (session.socket as import("node:tls").TLSSocket).getPeerCertificate();
  session.close();
  return serialNumber;
}
