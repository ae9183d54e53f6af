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
    ["spreads over nodes first", [null, null], four, ["a1", "b1"]],
    ["spreads over the agents of a node next", [null, null, null], four, ["a1", "b1", "a2"]],
    ["puts no two on one agent", [null, null], [agent("a1", "n1")], ["a1", null]],
    [
      "prefers the agent with the fewest replicas",
      [null],
      [agent("a1", "n1", { replicaCount: 2 }), agent("b1", "n2")],
      ["b1"],
    ],
    [
      "uses no agent whose node lacks what they need",
      [null, null],
      [agent("a1", "n1", { isUnfit: true }), agent("b1", "n2")],
      ["b1", null],
    ],
    [
      "keeps them where their node lacks it since",
      ["a1"],
      [agent("a1", "n1", { isUnfit: true }), agent("b1", "n2")],
      ["a1"],
    ],
    ["uses no agent that never reported", [null], [agent("a1", "n1", { silentForMs: null })], [null]],
    ["keeps them in place, though another place is better", ["a1", "a2"], four, ["a1", "a2"]],
    [
      "keeps them while their agent is silent for less than a minute",
      ["a1"],
      [agent("a1", "n1", { silentForMs: givenUpAfterMs(5_000) }), agent("b1", "n2")],
      ["a1"],
    ],
    ["moves them when their agent is silent for longer", ["a1"], [agent("a1", "n1", dead), agent("b1", "n2")], ["b1"]],
    [
      "keeps them between two reports of an agent with a long interval",
      ["a1"],
      [agent("a1", "n1", { silentForMs: 900_000, reportIntervalMs: 300_000 }), agent("b1", "n2")],
      ["a1"],
    ],
    ["keeps them when all agents are silent for longer", ["a1"], [agent("a1", "n1", dead)], ["a1"]],
    ["moves them when their agent is revoked or gone", ["zz", "b1"], four, ["a1", "b1"]],
    ["moves one of two on the same agent", ["a1", "a1"], four, ["a1", "b1"]],
  ])("%s", (_, agentIds, agents, want) => {
    expect(placed(replicas(...agentIds), agents)).toEqual(want);
  });

  it("does not depend on the order of agents", () => {
    expect(placed(replicas(null, null, null), [...four].reverse())).toEqual(placed(replicas(null, null, null), four));
  });

  const proxy = enginesFor({ delivery: "proxy", movesPort: false });
  const direct = enginesFor({ delivery: "direct", movesPort: false });
  const any = enginesFor({ movesPort: false });
  const shop = (engines: typeof any) => [{ name: "shop", engines }];

  it.each<[string, typeof any, Partial<BalancerAgent>, string | null]>([
    ["an agent without other replicas, with any engine", proxy, { engine: "tcx" }, "a1"],
    ["an agent whose engine supports it", direct, { engine: "tcx", others: shop(any) }, "a1"],
    ["an agent that must run the same engine for others", proxy, { engine: "userspace", others: shop(proxy) }, "a1"],
    ["an agent that runs no engine yet", proxy, { others: shop(any) }, "a1"],
    ["no agent that must run another engine for others", ["xdp"], { others: shop(["ipvs"]) }, null],
    ["no agent that needs another engine for the delivery of others", direct, { others: shop(proxy) }, null],
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
    [
      "an engine that another exposure requires",
      direct,
      { engine: "userspace", others: shop(proxy) },
      "userspace for shop.",
    ],
    ["an engine that runs for another exposure", proxy, { engine: "tcx", others: shop(any) }, "tcx for shop."],
    ["nothing if an agent fits", proxy, {}, ""],
    ["nothing of an agent that was given up", proxy, { engine: "tcx", others: shop(any), ...dead }, ""],
  ])("explains %s", (_, engines, fields, want) => {
    const reason = want && `The agent on n1 runs one engine for all that it carries, ${want}`;
    expect(explainUnsuited([agent("a1", "n1", fields)], engines)).toBe(reason);
  });
});
