import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { newId } from "../id-text.ts";
import { deliveryOf, enginesFor, findDeliveryProblem } from "./delivery.ts";
import { type Delivery, deliveriesOf, type Engine, packetEngines, schedulersOf } from "./engines.ts";
import { createExposure } from "./exposure.ts";
import type { Strategy } from "./strategy.ts";

const same = [{ port: 80 }, { port: 443, targetPort: 443 }];
const moved = [{ port: 80, targetPort: 8080 }];
const poolId = newId("addressPool");

describe("a delivery", () => {
  it.each<[Engine | undefined, Delivery | undefined, typeof moved | typeof same, string | null]>([
    [undefined, undefined, moved, null],
    ["auto", "nat", moved, null],
    ["tcx", "nat", moved, null],
    ["xdp", "direct", same, null],
    ["userspace", undefined, moved, null],
    ["xdp", "proxy", same, "strategy.delivery: xdp can't deliver by proxy, only by direct, tunnel, gue"],
    ["nftables", "tunnel", same, "strategy.delivery: nftables can't deliver by tunnel"],
    ["auto", "direct", moved, "strategy.delivery: direct leaves the port as it is, so 80 → 8080 is not possible"],
    ["xdp", undefined, moved, "strategy.engine: xdp leaves the port as it is"],
  ])("by the engine %s with %s", (engine, delivery, ports, want) => {
    const problem = findDeliveryProblem({ type: "ecmp", replicas: 2, poolId, engine, delivery }, ports);
    const text = problem && `${problem.path.join(".")}: ${problem.message}`;
    if (want === null) expect(text).toBeNull();
    else expect(text).toContain(want);
  });

  it.each<[Partial<Extract<Strategy, { type: "ecmp" }>>, string | null]>([
    [{ engine: "ipvs", scheduler: "wlc" }, null],
    [{ scheduler: "wlc" }, "strategy.scheduler: only ipvs has the scheduler wlc"],
    [{ engine: "xdp", scheduler: "mh" }, "strategy.scheduler: only ipvs has the scheduler mh"],
    [{ delivery: "proxy", proxyProtocol: true }, null],
    [{ delivery: "nat", proxyProtocol: false }, null],
    [{ proxyProtocol: true }, "strategy.proxyProtocol: only a proxy can write the PROXY protocol"],
    [{ delivery: "nat", proxyProtocol: true }, "strategy.proxyProtocol: only a proxy can write the PROXY protocol"],
  ])("allows a scheduler and the PROXY protocol only if the engine supports them: %j", (options, want) => {
    const problem = findDeliveryProblem({ type: "ecmp", replicas: 2, poolId, ...options }, same);
    const text = problem && `${problem.path.join(".")}: ${problem.message}`;
    if (want === null) expect(text).toBeNull();
    else expect(text).toContain(want);
  });

  it("is rejected at its field if no replica could support it", () => {
    const spec = {
      clusterId: newId("cluster"),
      name: "web",
      workload: { kind: "deployment", name: "web" },
      ports: moved,
      strategy: { type: "ecmp", poolId, delivery: "tunnel" },
    };
    const issues = createExposure.safeParse(spec).error?.issues;
    expect(issues).toMatchObject([{ path: ["strategy", "delivery"] }]);
    expect(issues?.[0]?.message).toContain("choose nat or proxy");
    expect(createExposure.safeParse({ ...spec, ports: same }).success).toBe(true);
  });
});

it.each<[Engine | undefined, Delivery | undefined, boolean, string]>([
  [undefined, undefined, false, "tcx xdp ipvs nftables userspace"],
  ["auto", undefined, true, "tcx ipvs nftables userspace"],
  ["auto", "direct", false, "tcx xdp ipvs nftables"],
  ["auto", "proxy", true, "userspace"],
  ["xdp", undefined, false, "xdp"],
  ["xdp", undefined, true, ""],
])("the engine %s with the delivery %s, and another target port: %s, can be carried by %s", (...row) => {
  const [engine, delivery, movesPort, want] = row;
  expect(enginesFor({ engine, delivery, movesPort }).join(" ")).toBe(want);
});

it.each([
  ["deliver by", "deliveries.json", deliveriesOf],
  ["schedule by", "schedulers.json", schedulersOf],
])("lists for each engine what the agents can %s", (_, file, waysOf) => {
  const folder = path.resolve(import.meta.dirname, "../../../../agents/internal/balancer/testdata");
  const known = packetEngines.map((engine) => [engine, waysOf(engine)]).filter(([, ways]) => ways?.length);
  expect(Object.fromEntries(known)).toEqual(JSON.parse(readFileSync(path.join(folder, file), "utf8")));
});

it.each([
  ["lab", {}, undefined],
  ["kubernetes", {}, "nat"],
  ["kubernetes", { engine: "auto" }, "nat"],
  ["kubernetes", { engine: "userspace" }, "proxy"],
  ["kubernetes", { delivery: "direct" }, "direct"],
  ["lab", { isNamed: true }, "proxy"],
  ["kubernetes", { isNamed: true }, "proxy"],
] as const)("in %s clusters packets of %o reach a backend by %s", (kind, strategy, want) => {
  expect(deliveryOf({ isNamed: false, ...strategy }, kind)).toBe(want);
});
