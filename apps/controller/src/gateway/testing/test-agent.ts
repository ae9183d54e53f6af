import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { AgentService, type ReportRequest, type SeriesPoints, type WatchResponse } from "@fairlead/agent-protocol";
import { newId } from "@fairlead/domain";
import type { CreateEnrollmentToken } from "@fairlead/domain/cluster";
import { createEnrollmentToken, type ServiceContext } from "@fairlead/services";
import { createTestKey, type TestKey } from "@fairlead/services/testing";

/** A client of the gateway like the Go agent: real sockets and real TLS, with or without a certificate. */
export type Connection = { client: Client<typeof AgentService>; close: () => void };

export type TestAgent = Connection & {
  agentId: string;
  nodeId: string;
  key: TestKey;
  certificate: Buffer;
  report: (fields: Partial<TestReport>) => ReturnType<Connection["client"]["report"]>;
};

export type TestReport = Pick<
  ReportRequest,
  | "bootId"
  | "observedRevision"
  | "observedDigest"
  | "configError"
  | "info"
  | "warnings"
  | "balancer"
  | "backend"
  | "adaptive"
  | "bgp"
  | "at"
  | "sentAt"
  | "events"
  | "inventory"
  | "node"
> & {
  sequence: number;
  series: Pick<SeriesPoints, "metric" | "labels" | "atMs" | "values">[];
};

export function connect(port: number, identity?: { key: string; certificate: Buffer }): Connection {
  const baseUrl = `https://127.0.0.1:${port}`;
  const nodeOptions = {
    rejectUnauthorized: false,
    ...(identity ? { key: identity.key, cert: toPem(identity.certificate) } : {}),
  };
  const sessionManager = new Http2SessionManager(baseUrl, {}, nodeOptions);
  const transport = createConnectTransport({ baseUrl, httpVersion: "2", sessionManager });
  return { client: createClient(AgentService, transport), close: () => sessionManager.abort() };
}

export async function createTestToken(
  ctx: ServiceContext,
  clusterId: string,
  spec: Partial<CreateEnrollmentToken> = {},
): Promise<string> {
  const request = { clusterId, expiresInMinutes: 60, ...spec };
  const { token } = await createEnrollmentToken({ ...ctx, now: new Date() }, request);
  return token;
}

/** enrollTestAgent joins a cluster as a new machine and connects with the issued certificate. */
export async function enrollTestAgent(
  ctx: ServiceContext,
  port: number,
  clusterId: string,
  nodeName: string = newId("node").replace("_", "-"),
  roles: string[] = ["node"],
): Promise<TestAgent> {
  const key = await createTestKey();
  const token = await createTestToken(ctx, clusterId);
  const anonymous = connect(port);
  try {
    const { certificateRequest } = key;
    const info = {
      version: "1.0.0",
      protocolVersion: 2,
      roles,
      hostname: nodeName,
      os: "linux",
      arch: "amd64",
    };
    const made = await anonymous.client.enroll({ token, certificateRequest, nodeName, info });
    return asTestAgent(port, key, made);
  } finally {
    anonymous.close();
  }
}

export function asTestAgent(
  port: number,
  key: TestKey,
  identity: { agentId: string; nodeId: string; certificate: Uint8Array },
): TestAgent {
  const { agentId, nodeId } = identity;
  const certificate = Buffer.from(identity.certificate);
  const connection = connect(port, { key: key.key, certificate });
  let sequence = 0;
  return {
    ...connection,
    agentId,
    nodeId,
    key,
    certificate,
    report(fields) {
      sequence = fields.sequence ?? sequence + 1;
      return connection.client.report({ bootId: "boot-1", ...fields, sequence: BigInt(sequence) });
    },
  };
}

/** cpuPoint is a series with one point. */
export function cpuPoint(value: number, at: Date = new Date()): TestReport["series"][number] {
  return { metric: "cpuUtilizationRatio", labels: {}, atMs: [BigInt(at.getTime())], values: [value] };
}

/** nextConfig skips keep-alives. */
export async function nextConfig(stream: AsyncIterator<WatchResponse>): Promise<number> {
  for (;;) {
    const { done, value } = await stream.next();
    if (done) throw new Error("the stream ended");
    if (value.message.case === "config") return Number(value.message.value.revision);
  }
}

function toPem(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

/** watch opens the stream of configs as an agent with these roles. */
export function watch(client: TestAgent["client"], revision: number, roles = ["node"]) {
  const info = { version: "1.0.0", roles };
  return client.watch({ info, revision: BigInt(revision) })[Symbol.asyncIterator]();
}

/** refusalOf runs a call and returns the code of its refusal, such as PermissionDenied; null if it is accepted. */
export async function refusalOf(call: () => Promise<unknown>): Promise<string | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return Code[ConnectError.from(error).code] ?? "Unknown";
  }
}

/** connectsAs connects once more as another version of the protocol, as an agent that was replaced by that version does. */
export async function connectsAs({ client }: TestAgent, protocolVersion: number, role: string): Promise<void> {
  const ended = new AbortController();
  const info = { version: "1.0.0", protocolVersion, roles: [role] };
  for await (const _ of client.watch({ info }, { signal: ended.signal })) break; // the first message follows what was noted
  ended.abort();
}
