import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type BackendRole, BackendRoleStatusSchema, type NodeConfig } from "@fairlead/agent-protocol";
import type { ServiceContext } from "@fairlead/services";
import { enrollTestAgent, type TestAgent } from "./test-agent.ts";

/** An agent next to servers, like the Go agent: it applies every config and reports it. */
export type TestBackend = TestAgent & {
  servers: () => BackendRole["servers"];
  /** Instances whose server doesn't take connections by TLS session, with the reason. */
  failing: Map<string, string>;
  /** Instances whose server doesn't get new ticket keys, with the reason. */
  lagging: Map<string, string>;
  /** Instances whose server may have lost the ticket keys that it had, with the reason. */
  losing: Map<string, string>;
  say: () => Promise<unknown>;
  stop: () => Promise<void>;
};

export async function startTestBackend(
  ctx: ServiceContext,
  port: number,
  clusterId: string,
  nodeName: string,
): Promise<TestBackend> {
  const agent = await enrollTestAgent(ctx, port, clusterId, nodeName, ["backend"]);
  const failing = new Map<string, string>();
  const lagging = new Map<string, string>();
  const losing = new Map<string, string>();
  /** The revision of the ticket keys that each server has. */
  const applied = new Map<string, bigint>();
  const ended = new AbortController();
  let running: NodeConfig | undefined;

  const say = () =>
    agent.report({
      observedRevision: running?.revision ?? 0n,
      observedDigest: running?.digest ?? "",
      backend: create(BackendRoleStatusSchema, {
        servers: (running?.backend?.servers ?? []).map(
          ({ backendId, loadBalancerId, instance, ownAddress, ticketKeys }) => {
            if (!ticketKeys) applied.delete(instance);
            else if (!lagging.has(instance)) applied.set(instance, ticketKeys.revision);
            return {
              backendId,
              loadBalancerId,
              ready: !failing.has(instance),
              message: failing.get(instance) ?? "",
              companion: failing.has(instance) ? "" : companionOf(ownAddress),
              ticketRevision: losing.has(instance) ? 0n : (applied.get(instance) ?? 0n),
              ticketProblem: losing.get(instance) ?? lagging.get(instance) ?? "",
            };
          },
        ),
      }),
    });

  async function follow(): Promise<void> {
    const info = { version: "1.0.0", protocolVersion: 2, roles: ["backend"], hostname: nodeName, os: "", arch: "" };
    for await (const { message } of agent.client.watch({ info }, { signal: ended.signal })) {
      if (message.case !== "config") continue;
      running = message.value;
      await say();
    }
  }
  const following = follow().catch((error: unknown) => {
    const { code } = ConnectError.from(error);
    if (!ended.signal.aborted && code !== Code.PermissionDenied) throw error;
  });

  return {
    ...agent,
    servers: () => running?.backend?.servers ?? [],
    failing,
    lagging,
    losing,
    say,
    async stop() {
      ended.abort();
      await following;
      agent.close();
    },
  };
}

export const companionOf = (address: string): string => `${address}:7446`;
