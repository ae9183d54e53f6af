import { expect, it } from "vitest";
import { describeBreaks, inEffectOf } from "./describe-breaks.ts";

const before = {
  ports: [
    { port: 80, protocol: "tcp" as const },
    { port: 443, targetPort: 8443, protocol: "tcp" as const },
  ],
  strategy: { type: "ecmp" as const, replicas: 2, poolId: "pool_a" },
  addresses: ["192.0.2.7"],
};

it.each([
  ["nothing", before, []],
  [
    "another target of a port",
    { ...before, ports: [...before.ports.slice(0, 1), { port: 443, protocol: "tcp" as const }] },
    [],
  ],
  ["more replicas", { ...before, strategy: { ...before.strategy, replicas: 3 } }, []],
  ["one port less", { ...before, ports: before.ports.slice(1) }, ["Port 80 tcp closes. Connections to it end."]],
  [
    "another protocol",
    { ...before, ports: [{ port: 80, protocol: "udp" as const }, ...before.ports.slice(1)] },
    ["Port 80 tcp closes. Connections to it end."],
  ],
  [
    "another pool",
    { ...before, strategy: { ...before.strategy, poolId: "pool_b" } },
    ["The address changes. Clients must use the new one; connections to 192.0.2.7 end."],
  ],
])("lists what ends for clients: %s", (_, after, breaks) => {
  expect(describeBreaks(before, after)).toEqual(breaks);
});

it("compares with the spec that is in effect while an exposure is paused", () => {
  const { addresses, ...spec } = before;
  const edited = { ...before, ports: before.ports.slice(1) };
  const specInEffect = {
    ...{ ...spec, name: "shop", healthCheck: null },
    workload: { namespace: "default", kind: "deployment" as const, name: "shop" },
  };
  expect(inEffectOf({ ...edited, specInEffect: null })).toEqual(edited);
  const inEffect = inEffectOf({ ...edited, specInEffect });
  expect(inEffect).toEqual({ ...spec, addresses });
  // The stored spec has no port 80 either, so a comparison with that would find nothing.
  expect(describeBreaks(inEffect, edited)).toEqual(["Port 80 tcp closes. Connections to it end."]);
});

it("knows no connection to an address that was never assigned", () => {
  const after = { ...before, strategy: { ...before.strategy, poolId: "pool_b" } };
  expect(describeBreaks({ ...before, addresses: [] }, after)).toEqual([]);
});
