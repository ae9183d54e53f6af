import type { Topology, TopologyPlace } from "@fairlead/domain/routing";
import { describe, expect, it } from "vitest";
import { layTopology } from "./lay-topology.ts";

const place = (column: TopologyPlace["column"], name: string, size = 1): TopologyPlace => ({
  key: `${column}/${name}`,
  clusterId: "clu_1",
  column,
  name,
  nodeId: name ? `node_${name}` : null,
  size,
});
const places = [place("router", "tor"), place("reflector", "rr-1"), place("speaker", "n1"), place("speaker", "n2")];
const link = (from: string, to: string, counts: object = {}) => ({ from, to, up: 1, down: 0, stale: 0, ...counts });
const flow = (to: string, is: object = {}): Topology["flows"][number] => ({
  from: "router/tor",
  to,
  share: 0.5,
  throughputBps: 12e6,
  measuredShare: 0.4,
  isStale: false,
  ...is,
});

describe("the routing topology", () => {
  it("has routers on the left and balancers on the right", () => {
    const { titles, rows, spots } = layTopology({ places, links: [], flows: [] });
    expect(titles).toEqual(["Routers", "Reflectors", "Balancers"]);
    expect(rows).toBe(2);
    expect(spots.map(({ name, x, y }) => [name, Math.round(x), Math.round(y)])).toEqual([
      ["tor", 17, 50],
      ["rr-1", 50, 50],
      ["n1", 83, 25],
      ["n2", 83, 75],
    ]);
  });

  it("marks sessions that are down or stale", () => {
    const links = [
      link("reflector/rr-1", "speaker/n1", { up: 0, down: 1 }),
      link("reflector/rr-1", "speaker/n2", { up: 0, stale: 1 }),
    ];
    const { lines, spots } = layTopology({ places, links, flows: [] });
    expect(lines.map(({ state }) => state)).toEqual(["down", "stale"]);
    expect(spots.map(({ name, state }) => `${name} ${state}`)).toEqual(["tor up", "rr-1 down", "n1 down", "n2 stale"]);
  });

  it("shows kernel shares at lines, and measured traffic at balancers", () => {
    const flows = [flow("speaker/n1"), flow("speaker/n2", { share: null, throughputBps: null, measuredShare: null })];
    const { streams, spots } = layTopology({ places, links: [], flows });
    expect(streams.map(({ label }) => label)).toEqual(["50 %", ""]);
    expect(spots.map(({ note }) => note.replace("\u00a0", " "))).toEqual([
      "",
      "",
      "12.0 Mbit/s (40 %)",
      "not measured",
    ]);
  });

  it("shows how many nodes a place represents", () => {
    const { spots } = layTopology({ places: [place("speaker", "", 1_200)], links: [], flows: [] });
    expect(spots.map(({ name }) => name)).toEqual(["1,200 balancers"]);
  });
});
