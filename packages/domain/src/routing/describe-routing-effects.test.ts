import { expect, it } from "vitest";
import type { ShownClusterRouting, UpdateClusterRouting } from "./cluster-routing.ts";
import { describeRoutingEffects } from "./describe-routing-effects.ts";

const reflector = { name: "rr-1", address: "10.0.0.11" };
const router = { name: "tor-1", address: "10.0.0.1", asn: 65_100 };
const settings = {
  asn: 65_021,
  balancers: ["10.0.0.0/24"],
  reflectors: [reflector],
  routers: [router],
  holdSeconds: 9,
  detection: null,
  nearOnly: false,
  mostRoutes: 10_000,
  preference: 100,
  communities: [],
  drainSeconds: 30,
  keepSeconds: 300,
  settleSeconds: 10,
  mostNextHops: 16,
} satisfies UpdateClusterRouting;
const before: ShownClusterRouting = { ...settings, hasPassword: true };

const again = "routes are sent again in the running sessions. Routers may choose others, which moves connections.";

const running: [name: string, change: Partial<UpdateClusterRouting>, effects: string[]][] = [
  ["nothing", {}, []],
  ["preference", { preference: 200 }, [`Local preference: ${again}`]],
  ["med", { med: 5 }, [`MED: ${again}`]],
  ["communities", { communities: ["65021:100"] }, [`Communities: ${again}`]],
  ["drainSeconds", { drainSeconds: 5 }, []],
  ["keepSeconds", { keepSeconds: 5 }, []],
  ["settleSeconds", { settleSeconds: 5 }, []],
  ["mostNextHops", { mostNextHops: 5 }, []],
  ["another balancer network", { balancers: ["10.0.0.0/24", "10.1.0.0/24"] }, []],
  ["another reflector", { reflectors: [reflector, { name: "rr-2", address: "10.0.0.12" }] }, []],
  ["another router", { routers: [router, { ...router, name: "tor-2", address: "10.0.0.2" }] }, []],
];

it.each(running)("keeps sessions that run: %s", (_, change, effects) => {
  expect(describeRoutingEffects(before, { ...settings, ...change })).toEqual(effects);
});

const ending: [name: string, change: Partial<UpdateClusterRouting>, effect: string][] = [
  ["asn", { asn: 65_022 }, "AS: all BGP sessions restart. External peers must expect the new AS."],
  ["password", { password: "other" }, "Password: all BGP sessions restart. External peers must have the same one."],
  ["password, none", { password: null }, "Password: all BGP sessions restart. External peers must remove theirs."],
  ["holdSeconds", { holdSeconds: 30 }, "Hold time: all BGP sessions restart."],
  ["keepaliveSeconds", { keepaliveSeconds: 1 }, "Keepalive: all BGP sessions restart."],
  [
    "detection",
    { detection: { intervalMs: 100, multiplier: 3 } },
    "BFD interval: all BGP sessions restart. Every peer must support BFD.",
  ],
  ["nearOnly", { nearOnly: true }, "Direct neighbors only: all BGP sessions restart. Every peer must enable it."],
  [
    "mostRoutes",
    { mostRoutes: 5 },
    "Maximum routes: sessions with balancers restart. One with more routes is closed again.",
  ],
  ["balancers", { balancers: ["10.1.0.0/24"] }, "Balancer networks: sessions with balancers in 10.0.0.0/24 end."],
  [
    "reflectors, none left",
    { reflectors: [] },
    "Reflectors: all BGP sessions end. Balancers connect to the routers instead.",
  ],
  [
    "reflectors, another address",
    { reflectors: [{ ...reflector, address: "10.0.0.12" }] },
    "Reflectors: sessions with rr-1 end.",
  ],
  [
    "reflectors, another name",
    { reflectors: [{ ...reflector, name: "rr-a" }] },
    "Reflectors: sessions with rr-1 restart.",
  ],
  ["routers, none left", { routers: [] }, "Routers: sessions with tor-1 end."],
  ["routers, another AS", { routers: [{ ...router, asn: 65_101 }] }, "Routers: sessions with tor-1 restart."],
];

it.each(ending)("names sessions that restart or end, and what becomes of their routes: %s", (_, change, effect) => {
  expect(describeRoutingEffects(before, { ...settings, ...change })).toEqual([
    effect,
    "While a session is down, its routes are withdrawn, and connections may break. The routes return with the session. A Fairlead router that has lost all sessions keeps its routes for 300 seconds.",
  ]);
});

it("says nothing about a missing password that stays missing", () => {
  expect(describeRoutingEffects({ ...before, hasPassword: false }, { ...settings, password: null })).toEqual([]);
});
