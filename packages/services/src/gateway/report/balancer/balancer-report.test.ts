import type { ReportedInstance } from "@fairlead/domain/instance";
import { describe, expect, it } from "vitest";
import { checkBalancer, checkEvents, checkInventory, type WireBalancer } from "./balancer-report.ts";

const now = new Date("2026-11-21T12:00:00Z");
const balancer: WireBalancer = {
  engine: "tcx",
  engineReason: "It suits.\0",
  refused: [],
  address: "10.9.0.1",
  flowAddress: "10.9.0.1:7444",
  services: [
    {
      loadBalancerId: "lb_1",
      address: "192.0.2.1",
      ready: true,
      message: "",
      backends: [
        { id: "bak_1", health: "tired", message: "x".repeat(3_000), since: new Date(Number.NaN), liveConnections: -1 },
      ],
      clients: null,
      session: null,
    },
  ],
};
const instance = (fields: Partial<ReportedInstance> = {}): ReportedInstance => ({
  name: "web-1",
  workload: "web",
  nodeName: "n1",
  addresses: ["10.8.0.1", "fd08::1"],
  ready: true,
  labels: {},
  weight: 1,
  ...fields,
});

describe("a balancer's report", () => {
  it("is sanitised: unknown words, impossible numbers, long texts", () => {
    expect(checkBalancer(balancer, now)).toMatchObject({
      engineReason: "It suits.",
      services: [
        { backends: [{ health: "unknown", message: `${"x".repeat(1_999)}…`, since: null, liveConnections: 0 }] },
      ],
    });
    expect(checkBalancer(null, now)).toBeNull();
  });

  it("keeps valid client networks, up to the limit", () => {
    const network = (fields: object) => ({
      prefix: "203.0.113.0/24",
      throughputBps: 1e6,
      packetsPerSecond: 100,
      ...fields,
    });
    const networks = [
      ...[{ prefix: "203.0.113.7" }, { prefix: "x" }, { throughputBps: Number.NaN }, { throughputBps: -1 }],
      ...[{ packetsPerSecond: Number.POSITIVE_INFINITY }, ...Array.from({ length: 21 }, () => ({}))],
    ].map(network);
    const clients = { problem: "It\0 fails.", seconds: 59.9, oneIn: 2 ** 40, networks, otherBps: Number.NaN };
    const [service] = balancer.services;
    const checked = checkBalancer({ ...balancer, services: service ? [{ ...service, clients }] : [] }, now);
    expect(checked?.services[0]?.clients).toEqual({
      ...{ problem: "It fails.", seconds: 59, oneIn: 2 ** 31 - 1, otherBps: 0 },
      networks: Array.from({ length: 20 }, () => network({})),
    });
  });

  it("is refused when it exceeds what a balancer may carry", () => {
    const services = Array.from({ length: 10_001 }, () => ({ ...balancer.services[0], backends: [] }) as never);
    expect(() => checkBalancer({ ...balancer, services }, now)).toThrow(
      "may carry 10000 services, this one reports 10001",
    );
  });
});

describe("events of an agent", () => {
  const event = { at: now, reason: "BackendDown", message: "m", warning: true, loadBalancerId: "" };
  it.each([
    ["unchanged", new Date(now.getTime() - 1_000), new Date(now.getTime() - 1_000)],
    ["none from the future", new Date(now.getTime() + 60_000), now],
    ["none from long ago, which is no clock at all", new Date(0), now],
  ])("are recorded %s", (_, at, want) => {
    expect(checkEvents([{ ...event, at }], now)).toEqual([{ ...event, at: want }]);
  });

  it("without a searchable reason are left out", () => {
    expect(
      checkEvents(
        [
          { ...event, reason: "" },
          { ...event, reason: "two words" },
        ],
        now,
      ),
    ).toEqual([]);
  });
});

describe("an inventory", () => {
  it("is absent, or whole", () => {
    expect(checkInventory(null, 3)).toEqual({ instances: null, warnings: [] });
    expect(checkInventory([], 3)).toEqual({ instances: [], warnings: [] });
  });

  it.each<[string, Partial<ReportedInstance>, string]>([
    ["no name", { name: "" }, 'The instance "" is left out: it has no name.'],
    ["no address", { addresses: [] }, 'The instance "web-1" is left out: it has no address.'],
    [
      "an invalid address",
      { addresses: ["10.8.0.1", "10.8"] },
      'The instance "web-1" is left out: its address "10.8" is not valid.',
    ],
    [
      "two addresses of a family",
      { addresses: ["10.8.0.1", "fd08::1", "fd08::2"] },
      'The instance "web-1" is left out: it may have one address of each family.',
    ],
    [
      "too long a label",
      { labels: { a: "x".repeat(254) } },
      'The instance "web-1" is left out: a name or label may have 253 characters, none of them null.',
    ],
    ["no weight", { weight: 0 }, 'The instance "web-1" is left out: its weight 0 is not from 1 to 256.'],
    ["too much weight", { weight: 257 }, 'The instance "web-1" is left out: its weight 257 is not from 1 to 256.'],
  ])("leaves out an instance with %s, with a warning", (_, fields, warning) => {
    const other = instance({ name: "web-2" });
    expect(checkInventory([instance(fields), other], 3)).toEqual({ instances: [other], warnings: [warning] });
  });

  it("counts the last of two instances with one name", () => {
    const last = instance({ ready: false });
    expect(checkInventory([instance(), last], 3).instances).toEqual([last]);
  });

  it("is refused when it is too large", () => {
    expect(() => checkInventory([instance(), instance(), instance(), instance()], 3)).toThrow("may hold 3 instances");
  });
});
