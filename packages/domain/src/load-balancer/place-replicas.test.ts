import { describe, expect, it } from "vitest";
import { enginesFor } from "../exposure/delivery.ts";
import { givenUpAfterMs } from "../node/freshness.ts";
import { type BalancerAgent, explainUnsuited, placeReplicas } from "./place-replicas.ts";

const agent = (id: string, nodeId: string, fields: Partial<BalancerAgent> = {}): BalancerAgent => ({
  id,
  nodeId,
  nodeName: nodeId,
  silentForMs: 0,
  reportIntervalMs: 5_000,
  replicaCount: 0,
  engine: "",
  others: [],
  ...fields,
});
const replicas = (...agentIds: (string | null)[]) => agentIds.map((agentId, i) => ({ id: `r${i}`, agentId }));
const placed = (...args: Parameters<typeof placeReplicas>) => placeReplicas(...args).map((each) => each.agentId);

const four = [agent("a1", "n1"), agent("a2", "n1"), agent("b1", "n2"), agent("b2", "n2")];
const dead = { silentForMs: givenUpAfterMs(5_000) + 1 };

describe("placing replicas", () => {
  it.each<[string, (string | null)[], BalancerAgent[], (string | null)[]]>([
    ["over nodes first", [null, null], four, ["a1", "b1"]],
    ["over the agents of a node then", [null, null, null], four, ["a1", "b1", "a2"]],
    ["never two on one agent", [null, null], [agent("a1", "n1")], ["a1", null]],
    ["on whoever has the least to do", [null], [agent("a1", "n1", { replicaCount: 2 }), agent("b1", "n2")], ["b1"]],
    ["nowhere while nobody was ever heard of", [null], [agent("a1", "n1", { silentForMs: null })], [null]],
    ["where they are, though another place is better", ["a1", "a2"], four, ["a1", "a2"]],
    [
      "where they are while their agent was silent for less than a minute",
      ["a1"],
      [agent("a1", "n1", { silentForMs: givenUpAfterMs(5_000) }), agent("b1", "n2")],
      ["a1"],
    ],
    ["elsewhere when their agent is silent for longer", ["a1"], [agent("a1", "n1", dead), agent("b1", "n2")], ["b1"]],
    [
      "where they are between two reports of an agent that rarely speaks",
      ["a1"],
      [agent("a1", "n1", { silentForMs: 900_000, reportIntervalMs: 300_000 }), agent("b1", "n2")],
      ["a1"],
    ],
    ["where they are when all are silent for longer", ["a1"], [agent("a1", "n1", dead)], ["a1"]],
    ["elsewhere when their agent is revoked or gone", ["zz", "b1"], four, ["a1", "b1"]],
    ["one of two that claim the same agent elsewhere", ["a1", "a1"], four, ["a1", "b1"]],
  ])("%s", (_, agentIds, agents, want) => {
    expect(placed(replicas(...agentIds), agents)).toEqual(want);
  });

  it("does not depend on the order in which agents are found", () => {
    expect(placed(replicas(null, null, null), [...four].reverse())).toEqual(placed(replicas(null, null, null), four));
  });

  const proxy = enginesFor({ delivery: "proxy", movesPort: false });
  const direct = enginesFor({ delivery: "direct", movesPort: false });
  const any = enginesFor({ movesPort: false });
  const shop = (engines: typeof any) => [{ name: "shop", engines }];

  it.each<[string, typeof any, Partial<BalancerAgent>, string | null]>([
    ["an agent with nothing else to carry, whatever it runs", proxy, { engine: "tcx" }, "a1"],
    ["an agent whose engine can do it", direct, { engine: "tcx", others: shop(any) }, "a1"],
    ["an agent that must run the same for others", proxy, { engine: "userspace", others: shop(proxy) }, "a1"],
    ["an agent that does not run anything yet", proxy, { others: shop(any) }, "a1"],
    ["no agent that must run another for others", ["xdp"], { others: shop(["ipvs"]) }, null],
    ["no agent that needs another for the delivery of others", direct, { others: shop(proxy) }, null],
    ["no agent that would have to switch under others", proxy, { engine: "tcx", others: shop(any) }, null],
    ["an agent that has to switch for others anyway", proxy, { engine: "tcx", others: shop(proxy) }, "a1"],
  ])("finds %s", (_, engines, fields, want) => {
    expect(placed(replicas(null), [agent("a1", "n1", fields)], engines)).toEqual([want]);
  });

  it("moves off an agent that must run another engine for others", () => {
    const agents = [agent("a1", "n1", { others: shop(["ipvs"]) }), agent("b1", "n2")];
    expect(placed(replicas("a1"), agents, ["xdp"])).toEqual(["b1"]);
  });

  it.each<[string, typeof any, Partial<BalancerAgent>, string]>([
    ["what another insists on", direct, { engine: "userspace", others: shop(proxy) }, "userspace for shop."],
    ["what runs for another", proxy, { engine: "tcx", others: shop(any) }, "tcx for shop."],
    ["nothing where it fits", proxy, {}, ""],
    ["nothing of an agent that was given up", proxy, { engine: "tcx", others: shop(any), ...dead }, ""],
  ])("explains %s", (_, engines, fields, want) => {
    const said = want && `The agent on n1 runs one engine for all that it carries, ${want}`;
    expect(explainUnsuited([agent("a1", "n1", fields)], engines)).toBe(said);
  });
});
