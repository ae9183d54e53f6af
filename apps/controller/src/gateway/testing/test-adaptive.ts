import { create } from "@bufbuild/protobuf";
import { timestampFromDate, timestampNow } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { type AdaptiveRole, AdaptiveStatusSchema, type NodeConfig } from "@fairlead/agent-protocol";
import type { ServiceContext } from "@fairlead/services";
import { enrollTestAgent, type TestAgent } from "./test-agent.ts";

type Service = AdaptiveRole["services"][number];

/** An agent of the role adaptive, like the Go agent: it applies every config and reports it. */
export type TestAdaptive = TestAgent & {
  role: () => AdaptiveRole | undefined;
  /** Why it distributes no connections; empty if it does. */
  fail: (problem: string) => Promise<unknown>;
  /** Its new connections of the last report to the nodes of each service, by node. */
  shares: Map<string, number>;
  /** Backends that are down, by address, with the reason. */
  down: Map<string, string>;
  say: () => Promise<unknown>;
  stop: () => Promise<void>;
};

export async function startTestAdaptive(
  ctx: ServiceContext,
  port: number,
  clusterId: string,
  { nodeName, mesh }: { nodeName: string; mesh: string },
): Promise<TestAdaptive> {
  const agent = await enrollTestAgent(ctx, port, clusterId, nodeName, ["adaptive"]);
  const down = new Map<string, string>();
  const shares = new Map<string, number>();
  const ended = new AbortController();
  let running: NodeConfig | undefined;
  let problem = "";

  const say = () =>
    agent.report({
      at: timestampNow(),
      observedRevision: running?.revision ?? 0n,
      observedDigest: running?.digest ?? "",
      adaptive: create(AdaptiveStatusSchema, {
        ...{ problem, meshAddress: mesh, cores: 2, throttledRatio: 0.25 },
        services: (running?.adaptive?.services ?? []).map(statusOf),
        peers: (running?.adaptive?.peers ?? []).map(({ nodeId }) => {
          return { nodeId, state: "exchanging", roundTripMs: 3 };
        }),
        decisions: (running?.adaptive?.services ?? []).flatMap(decisionsOf),
      }),
    });
  const statusOf = ({ loadBalancerId, address, port, protocol, backends }: Service) => ({
    ...{ loadBalancerId, address, port, protocol, ready: backends.length > 0, refused: 2n },
    ...{ connectionsPerSecond: 8, requestsPerSecond: 16, serviceSeconds: 0.006, cpuPeriodSeconds: 0.1 },
    message: backends.length > 0 ? "" : "No backend is up, so connections are refused.",
    nodes: [...new Set(backends.map((each) => each.nodeId))].map((nodeId) => ({
      ...{ nodeId, open: 4n, chosen: 40n, entered: 10n, enteredOpen: 1n, failures: 1n },
      ...{ share: shares.get(nodeId) ?? 0, byWeight: false },
      backends: backends.filter((each) => each.nodeId === nodeId).length,
      ...{ inFlight: 1.5, requestsPerSecond: 20, serviceSeconds: 0.005, cores: 2, costNs: 2_500_000n },
    })),
    backends: backends
      .filter((each) => each.nodeId === agent.nodeId)
      .map(({ id, address }) => ({
        ...{ id, health: down.has(address) ? "down" : "up", message: down.get(address) ?? "" },
      })),
  });
  const decisionsOf = ({ loadBalancerId, backends }: Service) =>
    backends.slice(0, 1).map(({ id, nodeId }) => ({
      ...{ at: timestampFromDate(new Date(1_700_000_000_000)), loadBalancerId, backendId: id, nodeId },
      candidates: [
        { nodeId: "nod_gone", beside: 0, costNs: 0n, tooOld: true },
        { nodeId, beside: 1, costNs: 2_000_000n },
      ],
    }));

  async function follow(): Promise<void> {
    const info = { version: "1.0.0", protocolVersion: 2, roles: ["adaptive"], hostname: nodeName, os: "", arch: "" };
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
    ...{ shares, down, say },
    role: () => running?.adaptive,
    fail(why) {
      problem = why;
      return say();
    },
    async stop() {
      ended.abort();
      await following;
      agent.close();
    },
  };
}
