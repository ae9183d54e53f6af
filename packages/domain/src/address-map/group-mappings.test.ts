import { expect, it } from "vitest";
import { groupMappings } from "./group-mappings.ts";

type Mapped = Parameters<typeof groupMappings>[0][number];
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const row = (change: Partial<Mapped> = {}): Mapped => ({
  instance: "redis-0",
  pod: "redis-0",
  node: "node-a",
  protocol: "tcp",
  internalAddress: "10.0.0.1",
  internalPort: 6379,
  externalAddress: "192.0.2.1",
  externalPort: 6379,
  serverName: null,
  ready: true,
  since: at(1),
  generation: 1,
  ...change,
});
const exposed = [
  { name: "redis", port: 6379, protocol: "tcp" as const },
  { name: "bus", port: 7000, targetPort: 16_379, protocol: "tcp" as const },
];

it("groups the ports of an instance: the newest decides its age, and all must be ready", () => {
  const bus = row({ internalPort: 16_379, externalPort: 7000, ready: false, since: at(5), generation: 4 });
  expect(groupMappings([bus, row()], exposed)).toEqual([
    {
      instance: "redis-0",
      pod: "redis-0",
      node: "node-a",
      internalAddress: "10.0.0.1",
      externalAddress: "192.0.2.1",
      ports: [
        { name: "redis", protocol: "tcp", internal: 6379, external: 6379 },
        { name: "bus", protocol: "tcp", internal: 16_379, external: 7000 },
      ],
      ready: false,
      since: at(5),
      generation: 4,
    },
  ]);
});

it("takes port names from the exposure, for the same protocol only", () => {
  const [entry] = groupMappings([row({ protocol: "udp" })], exposed);
  expect(entry?.ports).toEqual([{ protocol: "udp", internal: 6379, external: 6379 }]);
});

it("has the TLS server name, if there is one", () => {
  const [entry] = groupMappings([row({ serverName: "redis-0.example.com" })], exposed);
  expect(entry).toMatchObject({ instance: "redis-0", serverName: "redis-0.example.com" });
  expect(groupMappings([row()], exposed)[0]).not.toHaveProperty("serverName");
});

it("separates pairs of addresses, sorts names by number, and omits mappings without an external address", () => {
  const rows = [
    row({ instance: "redis-10" }),
    row({ instance: "redis-2", externalAddress: null }),
    row({ instance: "redis-2", internalAddress: "2001:db8::2", externalAddress: "2001:db8:1::2" }),
    row({ instance: "redis-2", internalAddress: "10.0.0.2", externalAddress: "192.0.2.2" }),
  ];
  expect(groupMappings(rows, []).map((each) => `${each.instance} ${each.externalAddress}`)).toEqual([
    "redis-2 192.0.2.2",
    "redis-2 2001:db8:1::2",
    "redis-10 192.0.2.1",
  ]);
});
