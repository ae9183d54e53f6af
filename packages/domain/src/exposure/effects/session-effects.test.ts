import { expect, it } from "vitest";
import { sessionDefaults } from "../session.ts";
import type { SessionStrategy } from "../strategy.ts";
import { describeEffects } from "./describe-effects.ts";
import type { SpecForEffects } from "./effect.ts";

const spec = (change: Partial<SessionStrategy> = {}): SpecForEffects => ({
  workload: { namespace: "shop", kind: "deployment", name: "web" },
  ports: [{ port: 443, protocol: "tcp" }],
  strategy: { type: "session", replicas: 2, poolId: "pool_a", ...sessionDefaults, ...change },
});

const otherAddress =
  "Address pool: the address changes. Clients must use the new one; connections to the former one end.";
const proxyEnds = "Fallbacks: connections that a proxy carries end.";

it.each<[field: string, before: SpecForEffects, after: SpecForEffects, effects: string[]]>([
  ["poolId", spec(), spec({ poolId: "pool_b" }), [otherAddress]],
  ["replicas", spec(), spec({ replicas: 1 }), []],
  ["delivery", spec(), spec({ delivery: "gue" }), ["Delivery: existing connections may break."]],
  [
    "delivery, direct",
    spec(),
    spec({ delivery: "direct" }),
    [
      "Delivery: existing connections may break.",
      "Delivery: instances on another network than the replicas can't be reached.",
    ],
  ],
  [
    "names",
    spec(),
    spec({ names: "off" }),
    ["Names of ticket keys: clients with a ticket may reach another instance with their next connection."],
  ],
  ["names, on", spec({ names: "off" }), spec(), []],
  [
    "serverNames",
    spec({ serverNames: ["a.example.com", "b.example.com"] }),
    spec({ serverNames: ["b.example.com"] }),
    ["Server names: clients with a ticket for a.example.com may reach another instance with their next connection."],
  ],
  ["serverNames, more", spec(), spec({ serverNames: ["a.example.com"] }), []],
  [
    "ids",
    spec(),
    spec({ ids: false }),
    ["Session ids: clients with a session of TLS 1.2 may reach another instance with their next connection."],
  ],
  [
    "ticketHours",
    spec(),
    spec({ ticketHours: 6 }),
    [
      "Ticket lifetime: clients with a ticket that is older than 6 h may reach another instance with their next connection.",
    ],
  ],
  [
    "fallbacks, with a proxy",
    spec({ fallbacks: ["plain"] }),
    spec(),
    [
      "Fallbacks: while no backend takes connections by TLS session, a proxy carries them. Existing ones end when it begins, and backends see the replica's address.",
    ],
  ],
  ["fallbacks, without", spec(), spec({ fallbacks: ["plain"] }), [proxyEnds]],
  [
    "sessionDrainSeconds",
    spec({ sessionDrainSeconds: 300 }),
    spec(),
    ["Drain time of sessions: clients of instances that are being removed may reach another one."],
  ],
  [
    "drainSeconds",
    spec(),
    spec({ drainSeconds: 59 }),
    ["Drain time of connections: those to instances that are being removed may end."],
  ],
  ["ticketHours, longer", spec(), spec({ ticketHours: 48 }), []],
])("describes what a change of %s does to connections with the strategy session", (_, before, after, effects) => {
  expect(describeEffects(before, after)).toEqual(effects);
});
