import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type BalancerService,
  BalancerStatusSchema,
  InventorySchema,
  type NodeConfig,
  type SessionService,
} from "@fairlead/agent-protocol";
import type { ReportedInstance } from "@fairlead/domain/instance";
import type { ServiceContext } from "@fairlead/services";
import { enrollTestAgent, type TestAgent, type TestReport } from "./test-agent.ts";

/** A balancer like the Go agent: it applies every config and reports it. */
export type TestBalancer = TestAgent & {
  /** Every received config, the newest last. */
  configs: NodeConfig[];
  /** until waits for a config that matches a condition. */
  until: (holds: (config: NodeConfig) => boolean) => Promise<void>;
  /** reported waits until it has reported its latest config. */
  reported: () => Promise<void>;
  services: () => BalancerService[];
  /** hold stops it from applying and reporting new configs; it continues with the current one. */
  hold: () => Promise<void>;
  /** release makes it apply the newest config. */
  release: () => Promise<void>;
  /** say reports its state, with the given changes. */
  say: (fields?: Partial<TestReport>) => Promise<unknown>;
  /** Backends that are down, by address, with the reason. */
  down: Map<string, string>;
  /** Services that are carried as before, by port, with the reason. */
  asBefore: Map<number, string>;
  /** How it places connections by TLS session: why not, what does instead, and where it receives messages of companions. */
  session: { problem: string; fallback: string; address: string };
  /** The name of the ticket that it got from a backend last, by its address. */
  seen: Map<string, { name: Uint8Array; at: Date }>;
  stop: () => Promise<void>;
};

export async function startTestBalancer(
  ctx: ServiceContext,
  port: number,
  clusterId: string,
  nodeName: string,
  number = 1,
): Promise<TestBalancer> {
  const agent = await enrollTestAgent(ctx, port, clusterId, nodeName, ["balancer"]);
  const configs: NodeConfig[] = [];
  const watchers = new Set<() => void>();
  const down = new Map<string, string>();
  const asBefore = new Map<number, string>();
  const seen = new Map<string, { name: Uint8Array; at: Date }>();
  const session = { problem: "", fallback: "", address: `10.9.0.${number}:7447` };
  const ended = new AbortController();
  let held = false;
  let taking: Promise<unknown> = Promise.resolve();
  let running: NodeConfig | undefined;

  const say: TestBalancer["say"] = (fields = {}) =>
    agent.report({
      observedRevision: running?.revision ?? 0n,
      observedDigest: running?.digest ?? "",
      balancer: create(BalancerStatusSchema, {
        engine: "tcx",
        engineReason: "It needs no change of the host.",
        refused: [{ engine: "xdp", reason: "The driver has no XDP." }],
        address: `10.9.0.${number}`,
        flowAddress: `10.9.0.${number}:7444`,
        services: (running?.balancer?.services ?? []).map(
          ({ loadBalancerId, address, port, protocol, backends, ...service }) => ({
            ...(service.session ? { session: sessionOf(service.session, backends) } : {}),
            loadBalancerId,
            address,
            port,
            protocol,
            ready: backends.length > 0,
            message: backends.length > 0 ? (asBefore.get(port) ?? "") : "It has no backends.",
            backends: (asBefore.has(port) ? [] : backends).map(({ id, address }) => ({
              id,
              health: down.has(address) ? "down" : "up",
              message: down.get(address) ?? "",
              liveConnections: 3n,
            })),
          }),
        ),
      }),
      ...fields,
    });
  const sessionOf = ({ ticketRevision }: SessionService, backends: BalancerService["backends"]) => ({
    ...{ ...session, ticketRevision },
    backends: backends.map((each) => ({ ...ticketsOf(each), ...namesOf(seen.get(each.address)) })),
  });
  const take = async () => {
    running = configs.at(-1);
    await say();
  };

  async function follow(): Promise<void> {
    const info = { version: "1.0.0", protocolVersion: 2, roles: ["balancer"], hostname: nodeName, os: "", arch: "" };
    for await (const { message } of agent.client.watch({ info }, { signal: ended.signal })) {
      if (message.case !== "config") continue;
      configs.push(message.value);
      for (const watcher of watchers) watcher();
      if (held) continue;
      taking = take();
      await taking;
    }
  }
  // It ends when the test stops it, or when the agent is revoked.
  const following = follow().catch((error: unknown) => {
    const { code } = ConnectError.from(error);
    if (!ended.signal.aborted && code !== Code.PermissionDenied) throw error;
  });

  return {
    ...agent,
    configs,
    async until(holds) {
      for (;;) {
        const newest = configs.at(-1);
        if (newest && holds(newest)) return;
        const { promise, resolve } = Promise.withResolvers<void>();
        watchers.add(resolve);
        await promise;
        watchers.delete(resolve);
      }
    },
    async reported() {
      await taking;
    },
    services: () => configs.at(-1)?.balancer?.services ?? [],
    async hold() {
      held = true;
      await taking;
    },
    async release() {
      held = false;
      await take();
    },
    say,
    down,
    asBefore,
    session,
    seen,
    async stop() {
      ended.abort();
      await following;
      agent.close();
    },
  };
}

/** What a replica has learned of a backend: one stable name. */
function ticketsOf({ id, session }: BalancerService["backends"][number]) {
  const at = timestampFromDate(new Date(1_700_000_000_000));
  const names = [{ name: Uint8Array.of(0xab, 0x01), since: at, seen: at }];
  return { id, tickets: "stable", message: "", names, takes: session !== undefined };
}

function namesOf(seen: { name: Uint8Array; at: Date } | undefined) {
  if (!seen) return {};
  const at = timestampFromDate(seen.at);
  return { names: [{ name: seen.name, since: at, seen: at }] };
}

/** pod is an instance of the workload "web", with an address from its number. */
export function pod(number: number, fields: Partial<ReportedInstance> = {}): ReportedInstance {
  const labels = { app: "web" };
  return {
    name: `web-${number}`,
    workload: "web",
    nodeName: "n1",
    addresses: [podAddress(number)],
    ready: true,
    labels,
    weight: 1,
    ...fields,
  };
}

export function podAddress(number: number): string {
  return `10.8.0.${number}`;
}

/** inventoryOf is an agent's report of instances. */
export function inventoryOf(instances: readonly ReportedInstance[]) {
  return { inventory: create(InventorySchema, { instances: [...instances] }) };
}
