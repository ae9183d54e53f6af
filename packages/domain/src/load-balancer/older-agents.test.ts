import { expect, it } from "vitest";
import { weightsProtocol } from "../exposure/index.ts";
import type { PlacedLoadBalancer } from "./balancer-config.ts";
import { describeOutdated, forProtocol, sessionProtocol } from "./older-agents.ts";
import { sessionCondition } from "./session-condition.ts";

const ticketKeys = { revision: 3, epochs: [{ number: 1, sealed: "s" }] };
const session = {
  ...{ sealedKeys: { current: "k" }, ids: true, serverNames: [], ticketSeconds: 60, fallbacks: ["proxy", "plain"] },
};
const balancer = (fields: Partial<PlacedLoadBalancer>): PlacedLoadBalancer => ({
  ...{ id: "lb_1", exposureId: "exp_1", address: "192.0.2.1", ports: [], healthCheck: null, backends: [] },
  ...fields,
});
const backend = (id: string, weight: number) => ({
  ...{ id, weight, address: "10.0.0.1", port: 80, protocol: "tcp" as const, state: "active" as const, instance: id },
});
const learned = { ...session, names: "learned" };

it.each<[string, Partial<PlacedLoadBalancer>, Partial<PlacedLoadBalancer>]>([
  ["without sessions", { delivery: "proxy" }, { delivery: "proxy" }],
  ["with learned names", { delivery: "direct", session: learned }, { delivery: "direct", session: learned }],
  [
    "with managed names",
    { delivery: "gue", session: { ...session, names: "managed", ticketKeys } },
    { delivery: "gue", session: learned },
  ],
  [
    "by cost",
    { byCost: true, backends: [backend("a", 1), backend("b", 0)] },
    { byCost: undefined, backends: [backend("a", 1)] },
  ],
  ["by a proxy", { delivery: "proxy", session: learned }, { delivery: "nat", session: undefined }],
])("a load balancer %s has what an agent of an earlier version understands", (_, is, older) => {
  expect(forProtocol(balancer(is), sessionProtocol - 1)).toEqual(balancer(older));
  expect(forProtocol(balancer(is), sessionProtocol)).toEqual(balancer(is));
});

it("leaves out backends of other clusters for agents that would report them", () => {
  const own = backend("a", 1);
  const other = { ...backend("b", 1), state: "draining" as const, elsewhere: true as const };
  const both = balancer({ delivery: "gue", backends: [own, other] });
  expect(forProtocol(both, weightsProtocol - 1)).toEqual(balancer({ delivery: "gue", backends: [own] }));
  expect(forProtocol(both, weightsProtocol)).toEqual(both);
});

it("names the agent to update in the condition", () => {
  const places = { replicas: [{ nodeName: "n1", problem: "", fallback: null }], backends: [] };
  const backends = [{ instance: "a", takes: true, message: "" }];
  const outdated = [
    { nodeName: "n1", role: "balancer" },
    { nodeName: "m1", role: "backend" },
  ] as const;
  expect(sessionCondition({ ...places, backends, outdated })).toMatchObject({
    status: "true",
    message:
      "Connections are placed by TLS session. Update the agent of the role balancer on n1 and 1 more: until then, it uses no managed ticket keys and no proxy.",
  });
  expect(describeOutdated([])).toBe("");
});
