import { describe, expect, it } from "vitest";
import { checkBgp, type WireBgp } from "./bgp-report.ts";

const now = new Date("2026-11-01T12:00:00Z");
const later = new Date(now.getTime() + 3_600_000);
const limits = { routes: 3, updates: 4, transitions: 5 };
const session: WireBgp["sessions"][number] = {
  peerAddress: "10.0.0.11",
  peerAsn: 65_021,
  peerRouterId: "10.0.0.11",
  state: "established",
  stateSince: later,
  lastError: "",
  keepaliveSeconds: 3,
  detectIntervalMs: 100,
  detectMultiplier: 3,
  messagesIn: 7,
  messagesOut: 8,
  holdSeconds: 9,
  routesReceived: 1,
  routesAccepted: 1,
  routesAdvertised: 0,
  establishedCount: 1,
  detection: "up",
  isFull: false,
};
const route = (prefix: string) => ({
  prefix,
  since: null,
  changedAt: null,
  nextHops: [{ address: "10.0.0.1", weight: 1, since: later }],
});
const wireReport = (fields: Partial<WireBgp> = {}): WireBgp => ({
  address: "10.0.0.1",
  asn: 65_021,
  routerId: "10.0.0.1",
  sessions: [session],
  announcements: [],
  routes: [],
  routesLeftOut: 0,
  updates: [],
  transitions: [],
  ...fields,
});

describe("an agent's BGP report", () => {
  it("is never later than it was sent", () => {
    const checked = checkBgp(wireReport({ routes: [route("203.0.113.7/32")] }), limits, now);
    expect(checked?.sessions[0]?.stateSince).toEqual(now);
    expect(checked?.routes[0]).toMatchObject({ since: now, nextHops: [{ since: now }] });
  });

  it("keeps plausible steps of updates: known ones, of about now", () => {
    const atUs = now.getTime() * 1_000 - 1_234_567;
    const update = { prefix: "203.0.113.7/32", nextHop: "10.0.0.1", isWithdrawal: false, step: "routed", atUs };
    const odd = [{ step: "danced" }, { prefix: "203.0.113.7" }, { nextHop: "" }].map((each) => ({
      ...update,
      ...each,
    }));
    expect(checkBgp(wireReport({ updates: [update, ...odd] }), limits, now)?.updates).toEqual([update]);
    const dayUs = 24 * 3_600_000_000;
    const far = [atUs - dayUs, atUs + dayUs].map((each) => ({ ...update, atUs: each }));
    expect(checkBgp(wireReport({ updates: far }), limits, now)?.updates).toEqual([]);
    const five = new Array(5).fill(update);
    expect(() => checkBgp(wireReport({ updates: five }), limits, now)).toThrow(
      "may contain 4 updates, this one contains 5",
    );
  });

  it("loses what can't be stored, and nothing else", () => {
    const announcement = { loadBalancerId: "lb_1", nextHop: "10.0.0.1", stateSince: null, reason: "a\0b" };
    const checked = checkBgp(
      wireReport({
        sessions: [
          session,
          { ...session, peerAddress: "tor-1" },
          { ...session, peerAddress: "10.0.0.12", state: "odd" },
        ],
        announcements: [
          { ...announcement, prefix: "203.0.113.7/32", state: "offered" },
          { ...announcement, prefix: "203.0.113.7/24", state: "offered" },
          { ...announcement, prefix: "203.0.113.8/32", state: "loud" },
        ],
        routes: [route("x"), { ...route("203.0.113.7/32"), nextHops: [{ address: "x", weight: 1, since: null }] }],
        address: "x".repeat(500),
      }),
      limits,
      now,
    );
    expect(checked?.sessions.map((each) => each.peerAddress)).toEqual(["10.0.0.11"]);
    expect(checked?.announcements).toMatchObject([{ prefix: "203.0.113.7/32", stateSince: now }]);
    expect(checked?.announcements[0]?.reason).not.toContain("\0");
    expect(checked?.routes).toEqual([{ prefix: "203.0.113.7/32", since: now, changedAt: now, nextHops: [] }]);
    expect(checked?.address).toBe("");
  });

  it("takes a route's change time from its newest part where the agent doesn't send it", () => {
    const before = (ms: number) => new Date(now.getTime() - ms);
    const hops = [1_000, 5_000].map((ms) => ({ address: `10.0.0.${ms / 1_000}`, weight: 1, since: before(ms) }));
    const old = { prefix: "203.0.113.7/32", since: before(9_000), changedAt: null, nextHops: hops };
    expect(checkBgp(wireReport({ routes: [old] }), limits, now)?.routes[0]?.changedAt).toEqual(before(1_000));
    const dated = { ...old, changedAt: before(300) };
    expect(checkBgp(wireReport({ routes: [dated] }), limits, now)?.routes[0]?.changedAt).toEqual(before(300));
  });

  it("counts a duplicate entry once", () => {
    const twice = [session, { ...session, state: "idle" }];
    expect(checkBgp(wireReport({ sessions: twice }), limits, now)?.sessions).toMatchObject([{ state: "idle" }]);
  });

  it("is refused when it is a full routing table", () => {
    const table = ["203.0.113.1/32", "203.0.113.2/32", "203.0.113.3/32", "203.0.113.4/32"].map(route);
    expect(() => checkBgp(wireReport({ routes: table }), limits, now)).toThrow(
      "may contain 3 routes, this one contains 4",
    );
    expect(checkBgp(null, limits, now)).toBeNull();
  });
});
