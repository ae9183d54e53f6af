import { describeEffects } from "@fairlead/domain/exposure";
import { expect, it } from "vitest";
import { inEffectOf, specAfter } from "./in-effect.ts";

const workload = { namespace: "default", kind: "deployment" as const, name: "shop" };
const strategy = { type: "ecmp" as const, replicas: 2, poolId: "pool_a" };
const before = {
  ...{ workload, strategy, placements: [], healthCheck: null },
  ports: [
    { port: 80, protocol: "tcp" as const },
    { port: 443, protocol: "tcp" as const },
  ],
};
const addresses = ["192.0.2.7"];

it("is the spec, or that from before the pause", () => {
  const edited = { ...before, ports: before.ports.slice(1), addresses };
  expect(inEffectOf({ ...edited, specInEffect: null })).toEqual(edited);
  const inEffect = inEffectOf({ ...edited, specInEffect: { ...before, name: "shop" } });
  expect(inEffect).toEqual({ ...before, addresses });
  // The stored spec has no port 80 either, so a comparison with that would find nothing.
  expect(describeEffects(inEffect, edited)).toEqual(["Port 80 tcp closes. Connections to it end."]);
});

it("keeps the fields that a change doesn't set", () => {
  const ports = before.ports.slice(1);
  expect(specAfter(before, { ports })).toEqual({ ...before, ports });
  expect(specAfter({ ...before, healthCheck: { type: "none" } }, { healthCheck: null })).toEqual(before);
});
