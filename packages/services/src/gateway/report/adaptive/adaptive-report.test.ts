import { expect, it } from "vitest";
import { asBalancer, checkAdaptive, type WireAdaptive } from "./adaptive-report.ts";

const now = new Date("2026-11-30T12:00:00Z");

type Service = WireAdaptive["services"][number];
const service = (fields: Partial<Service> = {}): Service => ({
  ...{ loadBalancerId: "lb_1", address: "192.0.2.1", port: 80, protocol: "tcp", ready: true, message: "", refused: 0 },
  ...{ connectionsPerSecond: 4, requestsPerSecond: null, serviceMs: 4.2, cpuPeriodMs: 100, nodes: [], backends: [] },
  ...fields,
});
const report = (fields: Partial<WireAdaptive> = {}): WireAdaptive => ({
  ...{ problem: "", meshAddress: "10.0.0.1:7448", cores: 2, throttledRatio: 0.5 },
  ...{ services: [service()], peers: [], decisions: [] },
  ...fields,
});
const route = {
  ...{ nodeId: "nod_1", open: 1, chosen: 2, failures: 0, share: 1, inFlight: 1, requestsPerSecond: 3, serviceMs: 4 },
  ...{ cores: 2, costMs: 5, byWeight: false, backends: 1, entered: 1, enteredOpen: 1 },
};

it("keeps a report that fits", () => {
  const whole = report({
    services: [
      service({ nodes: [route], backends: [{ id: "bak_1", health: "down", message: "refused", since: now }] }),
    ],
    peers: [{ nodeId: "nod_2", isExchanging: true, roundTripMs: 1.5 }],
  });
  expect(checkAdaptive(whole, now)).toEqual(whole);
});

it.each(["127.0.0.1:7448", "10.0.0.1", "0.0.0.0:7448"])(
  "drops the address %s, which no other node reaches",
  (address) => {
    expect(checkAdaptive(report({ meshAddress: address }), now)?.meshAddress).toBe("");
  },
);

it("replaces figures that can't be stored or drawn", () => {
  const odd = { ...route, open: -1, chosen: 1.5, failures: Number.NaN, share: 7, costMs: Number.POSITIVE_INFINITY };
  const checked = checkAdaptive(report({ cores: Number.NaN, services: [service({ nodes: [odd] })] }), now);
  expect(checked?.cores).toBe(0);
  expect(checked?.services[0]?.nodes).toEqual([{ ...route, open: 0, chosen: 1, failures: 0, share: 1, costMs: 0 }]);
});

it.each(["-271821-04-20T00:00:00Z", "no time"])("replaces the time %s, which can't be stored", (text) => {
  const odd = new Date(text);
  const checked = checkAdaptive(
    report({
      services: [service({ backends: [{ id: "bak_1", health: "up", message: "", since: odd }] })],
      decisions: [
        { at: odd, loadBalancerId: "lb_1", backendId: "bak_1", nodeId: "nod_1", byWeight: false, candidates: [] },
      ],
    }),
    now,
  );
  expect(checked?.services[0]?.backends[0]?.since).toBeNull();
  expect(checked?.decisions[0]?.at).toEqual(now);
});

it("leaves out services of an unknown protocol", () => {
  expect(checkAdaptive(report({ services: [service({ protocol: "sctp" })] }), now)?.services).toEqual([]);
});

it("refuses a report that is too large, and says what to do", () => {
  const services = Array.from({ length: 4_096 }, () => service());
  expect(() => checkAdaptive(report({ services }), now)).toThrow(
    /^An agent may report 4095 services with 50000 nodes and backends, this one reports 4096 with 0\. Update the agent, .*several clusters\.$/,
  );
});

it("orders the candidates of decisions by cost, and lets none be in the future", () => {
  const decision = {
    ...{ at: new Date("2027-01-01"), loadBalancerId: "lb_1", backendId: "bak_1", nodeId: "nod_1", byWeight: false },
    candidates: [
      { nodeId: "old", beside: 0, costMs: null },
      { nodeId: "far", beside: 1, costMs: 9 },
      { nodeId: "near", beside: 2, costMs: 3 },
    ],
  };
  const [checked] = checkAdaptive(report({ decisions: [decision] }), now)?.decisions ?? [];
  expect(checked?.at).toEqual(now);
  expect(checked?.candidates.map((each) => each.nodeId)).toEqual(["near", "far", "old"]);
});

it.each([
  ["", true, "", { ready: true, message: "" }],
  ["", false, "No backend is up.", { ready: false, message: "No backend is up." }],
  ["The hooks are taken.", true, "", { ready: false, message: "The hooks are taken." }],
])("carries nothing with a problem of the agent: %s", (problem, ready, message, want) => {
  const checked = checkAdaptive(report({ problem, services: [service({ ready, message })] }), now);
  expect(checked && asBalancer(checked).services[0]).toMatchObject(want);
});
