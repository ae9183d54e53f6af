import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { BgpStatusSchema, type NodeConfig } from "@fairlead/agent-protocol";
import { updateCluster } from "@fairlead/domain/cluster";
import { type BalancerFixture, type BalancerStage, onBalancerStage } from "./balancer-stage.ts";
import { enrollTestAgent, type TestAgent } from "./test-agent.ts";

export const password = "known-to-routers-alone";
export const routing = updateCluster.parse({
  routing: {
    asn: 65_021,
    balancers: ["10.9.0.0/24"],
    reflectors: [{ name: "rr-1", address: "10.9.0.11" }],
    routers: [{ name: "tor-1", address: "10.9.0.254", asn: 65_100 }],
    detection: { intervalMs: 100 },
    communities: ["65021:100"],
    password,
  },
});

/** A test agent in a BGP role, with the newest config that it got. */
export type Peer = TestAgent & { newest: () => NodeConfig | undefined };

export type RoutingStage = {
  fixture: BalancerFixture;
  /** join enrols an agent in a BGP role, which follows its configs until the test ends. */
  join: (nodeName: string, role: string) => Promise<Peer>;
};

/** onRoutingStage gives each test of a file a cluster, and agents for it. */
export function onRoutingStage(enter: (routing: RoutingStage) => void): void {
  onBalancerStage((stage, fixture) => enter({ fixture, join: (...peer) => join(stage, fixture, ...peer) }));
}

async function join(stage: BalancerStage, fixture: BalancerFixture, nodeName: string, role: string): Promise<Peer> {
  const agent = await enrollTestAgent(fixture.now(), stage.port, fixture.clusterId, nodeName, [role]);
  let newest: NodeConfig | undefined;
  const follow = async () => {
    for await (const { message } of agent.client.watch({ info: { version: "1.0.0", roles: [role] } }))
      if (message.case === "config") newest = message.value;
  };
  follow().catch(() => undefined); // until its connection is closed
  return { ...agent, newest: () => newest };
}

export const bgpStatus = (fields: MessageInitShape<typeof BgpStatusSchema>) => ({
  bgp: create(BgpStatusSchema, fields),
});
