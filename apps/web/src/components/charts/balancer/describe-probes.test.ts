import type { Replica } from "@fairlead/domain/load-balancer";
import { expect, it } from "vitest";
import { describeNodeProbes, describeProbes, type ProbeHints } from "./describe-probes.ts";

const ebpf = { packetsPerSecond: 10, newConnectionsPerSecond: 0 };
const throughputBps = "includes Fairlead's own probes";
const nftables = { packetsPerSecond: 10, newConnectionsPerSecond: 5 };
const process = { packetsPerSecond: 0, newConnectionsPerSecond: 5 };

it.each<[string, Replica["probeTraffic"][], ProbeHints]>([
  ["no replica", [], {}],
  ["replicas without probes", [null, null], {}],
  [
    "equal replicas",
    [ebpf, ebpf],
    { packetsPerSecond: "includes Fairlead's own probes, 10 a second per replica", throughputBps },
  ],
  [
    "processes, which count no packets",
    [process],
    { connectionsNewPerSecond: "includes Fairlead's own probes, 5 a second per replica" },
  ],
  [
    "replicas that differ",
    [ebpf, nftables],
    {
      packetsPerSecond: "includes Fairlead's own probes, 10 a second per replica",
      connectionsNewPerSecond: "includes Fairlead's own probes, up to 5 a second per replica",
      throughputBps,
    },
  ],
  [
    "a replica without probes among others",
    [ebpf, null],
    { packetsPerSecond: "includes Fairlead's own probes, up to 10 a second per replica", throughputBps },
  ],
])("describes the probes of %s", (_, probeTraffic, want) => {
  expect(describeProbes(probeTraffic.map((each) => ({ probeTraffic: each })))).toEqual(want);
});

it("a node's figures can include probes if it has a speaker and an engine", () => {
  const text = "can include Fairlead's own probes";
  const all = { packetsPerSecond: text, throughputBps: text, connectionsNewPerSecond: text };
  expect(describeNodeProbes(["tcx"], true)).toEqual(all);
  expect(describeNodeProbes(["tcx"], false)).toEqual({});
  expect(describeNodeProbes(["", "unknown"], true)).toEqual({});
});
