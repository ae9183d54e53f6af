import { X509Certificate } from "node:crypto";
import { connect as connectHttp2 } from "node:http2";
import { create } from "@bufbuild/protobuf";
import { BalancerStatusSchema, BgpStatusSchema } from "@fairlead/agent-protocol";
import { createTestCertificate, createTestKey } from "@fairlead/services/testing";
import {
  asTestAgent,
  connect,
  nextConfig,
  refusalOf,
  type TestAgent,
  watch,
} from "../../apps/controller/src/gateway/testing/test-agent.ts";
import type { Observed, Results } from "./results.ts";
import type { Target } from "./target.ts";

/** attackAgents acts as an agent that exceeds its token, and as one that has none. */
export async function attackAgents(target: Target, results: Results): Promise<void> {
  const { gatewayPort: port, own } = target;
  const clusterId = own.ids.cluster;
  const node = await enroll(target, clusterId, ["node"]);
  const withRoles = (roles: string[]) => ({ info: { version: "1.0.0", roles } as never });
  const forged: [string, () => Promise<unknown>][] = [
    ["watches as router", () => nextConfig(watch(node.client, 0, ["node", "router"]))],
    ["watches as balancer", () => nextConfig(watch(node.client, 0, ["node", "balancer"]))],
    ["watches as speaker", () => nextConfig(watch(node.client, 0, ["speaker"]))],
    ["reports as router", () => node.report(withRoles(["node", "router"]))],
    ["reports as balancer", () => node.report(withRoles(["balancer"]))],
    ["reports the state of a balancer", () => node.report({ balancer: create(BalancerStatusSchema, {}) })],
    ["reports BGP sessions", () => node.report({ bgp: create(BgpStatusSchema, { sessions: [{}] }) })],
  ];
  try {
    for (const [what, run] of forged)
      await results.check(`agent with a token for node ${what}`, () => outcomeOf(run, "PermissionDenied"));
    await results.check("roles that an agent may not have are in the audit log", async () => {
      const { text } = await target.api(`/audit-entries?action=agent.refuse-roles&subjectId=${node.agentId}`);
      const { items } = JSON.parse(text) as { items: unknown[] };
      return { refused: items.length > 0, seen: `${items.length} entries` };
    });
  } finally {
    node.close();
  }

  const anonymous = connect(port);
  const foreign = await createTestCertificate("agent");
  const certificate = Buffer.from(new X509Certificate(foreign.certificate).raw);
  const other = connect(port, { key: foreign.key, certificate });
  const calls: [string, (client: TestAgent["client"]) => Promise<unknown>][] = [
    ["watches", (client) => nextConfig(watch(client, 0))],
    ["reports", (client) => client.report({ bootId: "b", sequence: 1n })],
    ["renews", (client) => client.renew({})],
    ["answers", (client) => client.answer({})],
  ];
  for (const [what, run] of calls) {
    await results.check(`agent without a certificate ${what}`, () =>
      outcomeOf(() => run(anonymous.client), "Unauthenticated"),
    );
    await results.check(`agent with a certificate of another authority ${what}`, () =>
      outcomeOf(() => run(other.client)),
    );
  }

  const { certificateRequest } = await createTestKey();
  await results.check("a token that was used enrols a second machine", async () => {
    const token = await createToken(target, clusterId, ["node"]);
    await anonymous.client.enroll({ token, certificateRequest, nodeName: "first-machine", info: { roles: ["node"] } });
    const again = await createTestKey();
    const second = { certificateRequest: again.certificateRequest, nodeName: "second-machine" };
    return outcomeOf(() => anonymous.client.enroll({ token, ...second, info: { roles: ["node"] } }));
  });
  for (const [what, request] of [
    ["a token for node enrols a router", { info: { roles: ["router"] } }],
    ["a token for node enrols a node and balancer", { info: { roles: ["node", "balancer"] } }],
  ] as const)
    await results.check(what, async () => {
      const token = await createToken(target, clusterId, ["node"]);
      return outcomeOf(
        () =>
          anonymous.client.enroll({
            token,
            certificateRequest,
            nodeName: "other-role",
            info: { roles: [...request.info.roles] },
          }),
        "PermissionDenied",
      );
    });
  await results.check("a made-up token enrols a machine", () =>
    outcomeOf(
      () => anonymous.client.enroll({ token: "fl1_e30", certificateRequest, nodeName: "x" }),
      "Unauthenticated",
    ),
  );
  for (const each of [anonymous, other]) each.close();
  for (const method of ["Enroll", "Watch", "Report", "Renew", "Answer"])
    await results.check(`malformed protobuf to ${method}`, () => sendMalformed(port, method));
}

/** enroll joins a cluster with a token that the API created for these roles. */
export async function enroll(target: Target, clusterId: string, roles: string[]): Promise<TestAgent> {
  const key = await createTestKey();
  // No token is for the role of a lab alone.
  const token = await createToken(target, clusterId, roles.includes("lab") ? undefined : roles);
  const { certificateRequest } = key;
  const anonymous = connect(target.gatewayPort);
  try {
    const nodeName = `machine-${++machines}`;
    const made = await anonymous.client.enroll({
      token,
      certificateRequest,
      nodeName,
      info: { version: "1.0.0", roles },
    });
    return asTestAgent(target.gatewayPort, key, made);
  } finally {
    anonymous.close();
  }
}

let machines = 0;

async function createToken({ api }: Target, clusterId: string, roles?: string[]): Promise<string> {
  const { status, text } = await api("/enrollment-tokens", { method: "POST", body: { clusterId, roles } });
  if (status !== 201) throw new Error(`creating a token returned ${status}: ${text}`);
  return (JSON.parse(text) as { token: string }).token;
}

/** outcomeOf runs a call that must be refused, with the given code if there is one. */
async function outcomeOf(call: () => Promise<unknown>, code?: string): Promise<Observed> {
  const refusal = await refusalOf(call);
  if (refusal === null) return { refused: false, seen: "accepted" };
  return { refused: code ? refusal === code : refusals.includes(refusal), seen: `refused (${refusal})` };
}

const refusals = ["PermissionDenied", "Unauthenticated", "Unavailable"];

function sendMalformed(port: number, method: string): Promise<Observed> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  const path = `/fairlead.agent.v1.AgentService/${method}`;
  const type = method === "Watch" ? "application/connect+proto" : "application/proto";
  return new Promise<Observed>((resolve, reject) => {
    const stream = session.request({ ":path": path, ":method": "POST", "content-type": type });
    stream.once("error", reject);
    stream.once("response", (headers) => {
      const status = Number(headers[":status"]);
      let text = "";
      stream.on("data", (chunk) => {
        text += String(chunk);
      });
      // The outcome of a stream is at its end, after the status 200.
      stream.once("end", () => {
        const [code] = /(?<="code":")\w+/.exec(text) ?? [""];
        const refused =
          (status >= 400 && status < 500) || (status === 200 && ["invalid_argument", "unauthenticated"].includes(code));
        resolve({ refused, seen: `${status} ${code}` });
      });
    });
    // A message of a stream has its length in front.
    stream.end(Buffer.from(method === "Watch" ? "0000000008ffffffffffffffff" : "ffffffffffffffff", "hex"));
  }).finally(() => session.close());
}
