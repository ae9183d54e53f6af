import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { updateCluster as updateClusterInput } from "@fairlead/domain/cluster";
import { passwordToFill } from "@fairlead/domain/routing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAddressPool, deleteAddressPool } from "../address-pool/index.ts";
import { updateCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { writeRouterConfig } from "./index.ts";

const password = "known-to-routers-alone";
const usual = {
  asn: 65_021,
  balancers: ["10.9.0.0/24"],
  reflectors: [
    { name: "rr-1", address: "10.9.0.11" },
    { name: "rr-2", address: "10.9.0.12" },
  ],
  routers: [
    { name: "tor-1", address: "10.9.0.254", asn: 65_100 },
    { name: "tor-2", address: "10.9.0.253", asn: 65_200 },
  ],
};

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(ctx);
  clusterId = cluster.id;
});

type Input = Parameters<typeof writeRouterConfig>[2];
const write = (input: Input) => writeRouterConfig(ctx, clusterId, input);
const textOf = async (input: Input) => (await write(input)).text;
const route = (changes: object = {}) =>
  updateCluster(ctx, clusterId, updateClusterInput.parse({ routing: { ...usual, ...changes } }));

describe("the config for an external router", () => {
  it("is for the first router, or the named one, in its AS", async () => {
    await route();
    expect(await textOf({ format: "frr" })).toContain("router bgp 65100\n");
    expect(await textOf({ format: "frr", router: "tor-2" })).toContain("router bgp 65200\n bgp router-id 10.9.0.253\n");
    expect(await textOf({ format: "bird" })).toContain("neighbor 10.9.0.12 as 65021;");
  });

  it("accepts prefixes in the cluster's pools, and nothing where there is none", async () => {
    await route();
    await createAddressPool(ctx, { clusterId, name: "six", prefix: "2001:db8:7::/112", note: "" });
    const text = await textOf({ format: "frr" });
    expect(text).toContain("permit 192.0.2.0/24 le 32\n");
    expect(text).toContain("permit 2001:db8:7::/112 le 128\n");
    for (const { id } of await database.db.addressPool.findMany({ where: { clusterId } }))
      await deleteAddressPool(ctx, id);
    const none = await write({ format: "junos" });
    expect(none.text).not.toContain("route-filter-list");
    expect(none.notes).toContainEqual(expect.stringContaining("no address pool yet"));
  });

  it("is for a reflector on request, with every router in its own AS", async () => {
    await route();
    const { text, role } = await write({ format: "frr", role: "reflector" });
    expect(role).toBe("reflector");
    expect(text).toContain("router bgp 65021\n bgp router-id 10.9.0.11\n");
    for (const line of ["neighbor 10.9.0.254 remote-as 65100", "neighbor 10.9.0.253 remote-as 65200"])
      expect(text).toContain(line);
    expect(await textOf({ format: "frr", role: "reflector", reflector: "rr-2" })).toContain("bgp cluster-id 10.9.0.12");
  });

  it.each(["gobgp", "exabgp"] as const)(
    "makes a host announce to reflectors, or to routers where there are none, by %s",
    async (format) => {
      await route();
      const targets = async () =>
        [
          ...(await textOf({ format, address: "10.9.0.50" })).matchAll(
            /(?:neighbor |neighbor-address = ")([0-9.]+)[\s\S]*?peer-as\D+(\d+)/g,
          ),
        ].map(([, address, asn]) => `${address} ${asn}`);
      expect(await targets()).toEqual(["10.9.0.11 65021", "10.9.0.12 65021"]);
      await route({ reflectors: [] });
      expect(await targets()).toEqual(["10.9.0.254 65100", "10.9.0.253 65200"]);
    },
  );

  it("lets balancers connect to routers where there are no reflectors", async () => {
    await route({ reflectors: [], mostRoutes: 40 });
    expect(await textOf({ format: "frr" })).toContain("bgp listen range 10.9.0.0/24 peer-group FAIRLEAD\n");
    expect(await textOf({ format: "bird" })).toContain("receive limit 40 action restart;");
  });

  it("has a placeholder for the password, and never the password", async () => {
    await route({ password });
    for (const format of ["frr", "bird", "junos", "eos", "ios-xr"] as const) {
      const { text, notes } = await write({ format });
      expect(text).toContain(passwordToFill);
      expect(text + notes).not.toContain(password);
      expect(notes).toContainEqual(expect.stringContaining("placeholder with the cluster's password"));
    }
    expect(await textOf({ format: "frr", role: "reflector" })).toContain(
      `neighbor BALANCERS password ${passwordToFill}`,
    );
  });

  it("reports what is wrong with a request, in which field, and what to do", async () => {
    await expect(write({ format: "frr" })).rejects.toMatchObject({
      fields: [{ path: ["id"], message: expect.stringContaining("set its AS and its network first") }],
    });
    await route();
    for (const [input, path, message] of [
      [
        { format: "frr", router: "tor-9" },
        "router",
        "has no router tor-9; name one of it (tor-1, tor-2), or leave it out.",
      ],
      [
        { format: "frr", role: "reflector", reflector: "x" },
        "reflector",
        "name one of it (rr-1, rr-2), or leave it out.",
      ],
      [{ format: "bird", role: "reflector" }, "role", "bird is written as router; request that, or leave it out."],
      [
        { format: "frr", role: "speaker" },
        "role",
        "frr is written as router or reflector; request that, or leave it out.",
      ],
      [{ format: "exabgp" }, "address", "Enter the address of the host"],
    ] as const)
      await expect(write(input)).rejects.toMatchObject({
        code: "invalid",
        fields: [{ path: [path], message: expect.stringContaining(message) }],
      });
    await route({ reflectors: [], routers: [] });
    for (const [input, path, message] of [
      [{ format: "frr" }, "router", "has no router; add one, with its address and AS."],
      [{ format: "frr", role: "reflector" }, "reflector", "has no reflector; add one, with its address."],
      [{ format: "gobgp", address: "10.9.0.50" }, "format", "no reflectors or routers to announce to; add one."],
    ] as const)
      await expect(write(input)).rejects.toMatchObject({
        code: "invalid",
        fields: [{ path: [path], message: expect.stringContaining(message) }],
      });
  });

  it("is not available for another organisation's cluster", async () => {
    await route();
    const other = await createTestOrganization(database.db);
    await expect(writeRouterConfig(other, clusterId, { format: "frr" })).rejects.toMatchObject({ code: "not-found" });
  });
});
