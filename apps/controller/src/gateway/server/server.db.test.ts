import { connect as connectHttp2 } from "node:http2";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type GatewayStage, setGatewayStage } from "../testing/gateway-stage.ts";
import { cpuPoint } from "../testing/test-agent.ts";

let stage: GatewayStage;
beforeAll(async () => {
  stage = await setGatewayStage({ keepAliveMs: 200, pollMs: 500 });
});
afterAll(() => stage.close());

describe("the server", () => {
  it("leaves no connection to the database behind if its port is in use", async () => {
    const listening = () => stage.database.db.$queryRaw`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'fairlead-%-listen'`;
    const before = await listening();
    await expect(stage.start({ port: stage.gateway.port })).rejects.toThrow("EADDRINUSE");
    await vi.waitFor(async () => expect(await listening()).toEqual(before), { timeout: 60_000 });
  });

  it("survives requests that are not calls", async () => {
    const report = "/fairlead.agent.v1.AgentService/Report";
    const session = connectHttp2(`https://127.0.0.1:${stage.gateway.port}`, { rejectUnauthorized: false });
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
    const agent = await stage.enroll();
    await agent.report({ series: [cpuPoint(0.5)] });
  });

  it.each(["Enroll", "Report", "Renew"])(
    "rejects a malformed message to %s as the sender's mistake",
    async (method) => {
      const session = connectHttp2(`https://127.0.0.1:${stage.gateway.port}`, { rejectUnauthorized: false });
      const stream = session.request({
        ":path": `/fairlead.agent.v1.AgentService/${method}`,
        ":method": "POST",
        "content-type": "application/proto",
      });
      const status = new Promise((resolve) => stream.once("response", (headers) => resolve(headers[":status"])));
      stream.end(Buffer.from("ffffffffffffffff", "hex"));
      let body = "";
      for await (const chunk of stream) body += String(chunk);
      session.close();
      expect(await status).toBe(400);
      expect(JSON.parse(body)).toEqual({
        code: "invalid_argument",
        message: expect.stringContaining("parse binary"),
      });
    },
  );

  it("rejects a malformed message to Watch as the sender's mistake, at the end of the stream", async () => {
    const session = connectHttp2(`https://127.0.0.1:${stage.gateway.port}`, { rejectUnauthorized: false });
    const stream = session.request({
      ":path": "/fairlead.agent.v1.AgentService/Watch",
      ":method": "POST",
      "content-type": "application/connect+proto",
    });
    stream.end(Buffer.from("0000000008ffffffffffffffff", "hex"));
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    session.close();
    const end = Buffer.concat(chunks);
    expect([end.readUInt8(0), end.readUInt32BE(1)]).toEqual([2, end.byteLength - 5]);
    expect(JSON.parse(end.subarray(5).toString())).toEqual({
      error: { code: "invalid_argument", message: expect.stringContaining("parse binary") },
    });
  });
});
