import { describe, expect, it } from "vitest";
import { sessionDefaults } from "../exposure/session.ts";
import type { SessionStrategy } from "../exposure/strategy.ts";
import { backendTimesOf, type KnownBackend, mostBackends, planBackends, type WantedBackend } from "./plan-backends.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const times = { fillMs: 60_000, drainMs: 30_000 };
const ports = [{ port: 80, targetPort: 8080, protocol: "tcp" as const }];

const backend = (instance: string, state: WantedBackend["state"], since: Date): WantedBackend => ({
  instance,
  protocol: "tcp",
  address: addressOf(instance),
  port: 8080,
  weight: 1,
  state,
  stateSince: since,
});
const addressOf = (name: string) => `10.0.0.${name.charCodeAt(0)}`;
const pod = (name: string, ready = true) => ({ name, address: addressOf(name), ready, weight: 1 });
const plan = (existing: WantedBackend[], instances: ReturnType<typeof pod>[]) =>
  planBackends(existing, instances, ports, now, times);

describe("a backend", () => {
  it.each<[string, WantedBackend[], ReturnType<typeof pod>[], WantedBackend[], Date | null]>([
    ["is active at once if there was none before", [], [pod("a")], [backend("a", "active", now)], null],
    ["doesn't exist while its instance is not ready", [], [pod("a", false)], [], null],
    [
      "fills when others exist",
      [backend("a", "active", ago(500))],
      [pod("a"), pod("b")],
      [backend("a", "active", ago(500)), backend("b", "filling", now)],
      new Date(now.getTime() + times.fillMs),
    ],
    [
      "fills until its time is over",
      [backend("a", "filling", ago(59))],
      [pod("a")],
      [backend("a", "filling", ago(59))],
      ago(-1),
    ],
    [
      "becomes active when it has filled",
      [backend("a", "filling", ago(60))],
      [pod("a")],
      [backend("a", "active", now)],
      null,
    ],
    [
      "drains when its instance is gone",
      [backend("a", "active", ago(9))],
      [],
      [backend("a", "draining", now)],
      ago(-30),
    ],
    [
      "drains when its instance is not ready",
      [backend("a", "filling", ago(9))],
      [pod("a", false)],
      [backend("a", "draining", now)],
      ago(-30),
    ],
    ["is removed when it has drained", [backend("a", "draining", ago(30))], [], [], null],
    [
      "is active at once when it returns while it drains",
      [backend("a", "draining", ago(9))],
      [pod("a")],
      [backend("a", "active", now)],
      null,
    ],
  ])("%s", (_, existing, instances, backends, nextAt) => {
    expect(plan(existing, instances)).toEqual({ backends, nextAt, leftOut: 0 });
  });

  it("with a new address is a new backend, and the old one drains", () => {
    const moved = { ...pod("a"), address: "10.0.1.1" };
    expect(plan([backend("a", "active", ago(500))], [moved]).backends).toEqual([
      backend("a", "draining", now),
      { ...backend("a", "filling", now), address: "10.0.1.1" },
    ]);
  });

  it("follows the weight of its instance, and keeps it while it drains", () => {
    const heavy = (weight: number) => ({ ...pod("a"), weight });
    const { backends: first } = plan([], [heavy(5)]);
    expect(first).toEqual([{ ...backend("a", "active", now), weight: 5 }]);
    expect(plan(first, [heavy(2)]).backends).toEqual([{ ...backend("a", "active", now), weight: 2 }]);
    expect(plan(first, []).backends).toEqual([{ ...backend("a", "draining", now), weight: 5 }]);
  });

  it("exists once for each target port and protocol", () => {
    const several = [
      { port: 53, protocol: "tcp" as const },
      { port: 53, protocol: "udp" as const },
      { port: 5353, targetPort: 53, protocol: "udp" as const },
    ];
    const { backends } = planBackends([], [pod("a")], several, now, times);
    expect(backends.map(({ protocol, port }) => `${protocol} ${port}`)).toEqual(["tcp 53", "udp 53"]);
  });

  it("does not displace others when the limit is reached", () => {
    const pods = Array.from({ length: mostBackends + 2 }, (_, i) => ({
      name: `p${String(i).padStart(5, "0")}`,
      address: `10.1.${Math.floor(i / 200)}.${i % 200}`,
      ready: true,
      weight: 1,
    }));
    const first = planBackends([], pods, ports, now, times);
    expect([first.backends.length, first.leftOut]).toEqual([mostBackends, 2]);
    const again = planBackends(first.backends, [pod("a"), ...pods], ports, now, times);
    expect(again).toEqual({ backends: first.backends, nextAt: null, leftOut: 3 });
    const both = [...ports, { port: 81, protocol: "tcp" as const }];
    expect(planBackends([], pods, both, now, times).leftOut).toBe(pods.length - mostBackends / 2);
  });
});

describe("a backend of the strategy session", () => {
  const strategy: SessionStrategy = { type: "session", replicas: 2, poolId: "pool_a", ...sessionDefaults };
  const own = backendTimesOf({ ...strategy, sessionDrainSeconds: 100, drainSeconds: 20 }, times, false);
  const drain = (existing: KnownBackend[], instances: ReturnType<typeof pod>[] = []) =>
    planBackends(existing, instances, ports, now, own);
  const draining = (seconds: number, returns: boolean): WantedBackend => ({
    ...backend("a", "draining", ago(seconds)),
    ...(returns ? { returns } : {}),
  });

  it("has clients that return for one time, then connections for another", () => {
    expect(drain([backend("a", "active", ago(9))])).toEqual({
      backends: [draining(0, true)],
      nextAt: ago(-100),
      leftOut: 0,
    });
    expect(drain([draining(99, true)])).toEqual({ backends: [draining(99, true)], nextAt: ago(-1), leftOut: 0 });
    expect(drain([draining(100, true)])).toEqual({ backends: [draining(100, false)], nextAt: ago(-20), leftOut: 0 });
    expect(drain([draining(119, false)])).toEqual({ backends: [draining(119, false)], nextAt: ago(-1), leftOut: 0 });
    expect(drain([draining(120, false)])).toEqual({ backends: [], nextAt: null, leftOut: 0 });
  });

  it("has no clients that return once its instance is gone, and another may have its address", () => {
    const gone = (each: WantedBackend) => drain([{ ...each, isGone: true }]);
    const ends = (seconds: number) => ({ backends: [draining(seconds, false)], nextAt: ago(seconds - 20), leftOut: 0 });
    expect(gone(backend("a", "active", ago(9)))).toEqual(ends(0));
    expect(gone(draining(9, true))).toEqual(ends(9));
    expect(gone(draining(50, true))).toEqual({ backends: [], nextAt: null, leftOut: 0 });
    expect(drain([{ ...draining(9, true), isGone: false }]).backends).toEqual([draining(9, true)]);
  });

  it("leaves its place to ready instances, the first to drain first", () => {
    const old = Array.from({ length: mostBackends }, (_, i) => ({
      ...draining(i === 7 ? 90 : i === 9 ? 80 : 5, true),
      ...{ instance: `old-${i}`, address: `10.1.${Math.floor(i / 200)}.${i % 200}` },
    }));
    const { backends, leftOut } = drain(old, [pod("a"), pod("b")]);
    expect([backends.length, leftOut]).toEqual([mostBackends, 0]);
    expect(backends.slice(-2)).toEqual([backend("a", "filling", now), backend("b", "filling", now)]);
    const names = backends.map((each) => each.instance);
    expect(old.filter((each) => !names.includes(each.instance)).map((each) => each.instance)).toEqual([
      "old-7",
      "old-9",
    ]);
  });

  it("is active at once when its instance is back", () => {
    expect(drain([draining(9, true)], [pod("a")]).backends).toEqual([backend("a", "active", now)]);
  });

  it("has the usual times unless they are set, and no clients when its exposure is deleted", () => {
    expect(backendTimesOf(strategy, times, false)).toEqual({ ...times, returnMs: 0 });
    const set = { ...strategy, sessionDrainSeconds: 100, drainSeconds: 20 };
    expect(backendTimesOf(set, times, true)).toEqual({ ...times, drainMs: 20_000, returnMs: 0 });
  });
});
