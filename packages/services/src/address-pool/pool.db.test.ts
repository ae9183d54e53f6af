import { openDb } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { type AddressPool, listAddressPools as listSchema } from "@fairlead/domain/address-pool";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createExposure, deleteExposure, removeExposure } from "../exposure/index.ts";
import { createTestCluster, createTestOrganization, testSpec } from "../testing/index.ts";
import { createAddressPool, deleteAddressPool, getAddressPool, listAddressPools, updateAddressPool } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
});

const addresses = async (poolId: string) =>
  (await database.db.virtualAddress.findMany({ where: { poolId } })).map((each) => each.address);

/** each is a spec that takes one address per instance. */
const each = (pool: AddressPool, name: string) =>
  testSpec(pool, { name, strategy: { type: "per-replica", addressing: "balancer", poolId: pool.id } });

describe("allocation", () => {
  it("never allocates an address twice, however many request one at once", async () => {
    const { pool } = await createTestCluster(ctx, "10.0.0.0/24");
    // A connection for each, so that all two hundred really contend for the pool.
    const clients = Array.from({ length: 4 }, () => openDb(database.url, { connections: 50 }));
    try {
      // Ten more at a time: opening two hundred at once takes longer than a transaction waits for its connection.
      for (let open = 10; open <= 50; open += 10)
        await Promise.all(
          clients.flatMap((each) => Array.from({ length: open }, () => each.$queryRaw`SELECT 1 FROM pg_sleep(0.1)`)),
        );
      const specs = Array.from({ length: 200 }, (_, n) =>
        createExposure({ ...ctx, db: clients[n % clients.length] ?? ctx.db }, testSpec(pool, { name: `e${n}` })),
      );
      const made = await Promise.all(specs);
      expect(new Set(made.flatMap((each) => each.addresses)).size).toBe(200);
      expect(new Set(await addresses(pool.id)).size).toBe(200);
      expect(await getAddressPool(ctx, pool.id)).toMatchObject({ allocated: 200, capacity: 254 });
    } finally {
      await Promise.all(clients.map((client) => client.$disconnect()));
    }
  });

  it("reports that a pool is exhausted, and changes nothing", async () => {
    const { pool } = await createTestCluster(ctx, "10.0.0.0/30");
    await createExposure(ctx, testSpec(pool, { name: "a" }));
    await createExposure(ctx, testSpec(pool, { name: "b" }));
    const before = await database.db.feedEntry.count();
    await expect(createExposure(ctx, testSpec(pool, { name: "c" }))).rejects.toMatchObject({
      code: "exhausted",
      message: expect.stringContaining("public (10.0.0.0/30)"),
      fields: [{ path: ["strategy", "poolId"] }],
    });
    expect(await database.db.exposure.count({ where: { organizationId: ctx.organizationId } })).toBe(2);
    expect(await database.db.feedEntry.count()).toBe(before);
  });

  it("allocates the last addresses of a pool to some and refuses the others, when many request one at once", async () => {
    const { pool } = await createTestCluster(ctx, "10.0.0.0/29");
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => createExposure(ctx, testSpec(pool, { name: `e${n}` }))),
    );
    expect(outcomes.filter((each) => each.status === "fulfilled")).toHaveLength(6);
    for (const each of outcomes)
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "exhausted" });
    expect(new Set(await addresses(pool.id)).size).toBe(6);
  });

  it("fills the lowest gap first, and a removed exposure opens one", async () => {
    const { pool } = await createTestCluster(ctx, "2001:db8::/64");
    const made = [];
    for (const name of ["a", "b", "c"]) made.push(await createExposure(ctx, testSpec(pool, { name })));
    expect(made.map((each) => each.addresses)).toEqual([["2001:db8::1"], ["2001:db8::2"], ["2001:db8::3"]]);
    await deleteExposure(ctx, made[1]?.id ?? "");
    const fourth = await createExposure(ctx, testSpec(pool, { name: "d" }));
    expect(fourth.addresses).toEqual(["2001:db8::4"]);
    await removeExposure(database.db, made[1]?.id ?? "", ctx.now);
    const fifth = await createExposure(ctx, testSpec(pool, { name: "e" }));
    expect(fifth.addresses).toEqual(["2001:db8::2"]);
  });

  it("can use a pool of one address, and the very last address that a pool can have", async () => {
    const { pool } = await createTestCluster(ctx, "223.255.255.255/32");
    expect((await createExposure(ctx, testSpec(pool, { name: "a" }))).addresses).toEqual(["223.255.255.255"]);
    await expect(createExposure(ctx, testSpec(pool, { name: "b" }))).rejects.toMatchObject({ code: "exhausted" });
  });
});

describe("a pool", () => {
  it.each([
    ["the same", "192.0.2.0/24"],
    ["one within", "192.0.2.128/25"],
    ["one around", "192.0.0.0/16"],
    ["one far around", "192.0.0.0/4"],
  ])("is refused when it overlaps another of its cluster: %s", async (_, prefix) => {
    const { cluster } = await createTestCluster(ctx, "192.0.2.0/24");
    await expect(
      createAddressPool(ctx, { clusterId: cluster.id, name: "more", prefix, note: "" }),
    ).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("the pool public (192.0.2.0/24)"),
      fields: [{ path: ["prefix"] }],
    });
  });

  it("may be adjacent to one of its cluster", async () => {
    const { cluster } = await createTestCluster(ctx, "192.0.2.0/25");
    await createAddressPool(ctx, { clusterId: cluster.id, name: "more", prefix: "192.0.2.128/25", note: "" });
    await createAddressPool(ctx, { clusterId: cluster.id, name: "six", prefix: "2001:db8::/32", note: "" });
  });

  it("may overlap a pool of another cluster only if that is confirmed", async () => {
    const other = await createTestCluster(ctx, "192.0.2.0/24");
    const { cluster } = await createTestCluster(ctx, "198.51.100.0/24");
    const spec = { clusterId: cluster.id, name: "more", prefix: "192.0.2.128/25", note: "" };
    await expect(createAddressPool(ctx, spec)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`overlaps the pool public (192.0.2.0/24) of the cluster ${other.cluster.name}.`),
      fields: [{ path: ["allowOverlap"] }],
    });
    expect(await createAddressPool(ctx, { ...spec, allowOverlap: true })).toMatchObject(spec);
    const within = { ...spec, name: "again", allowOverlap: true };
    await expect(createAddressPool(ctx, within)).rejects.toMatchObject({ fields: [{ path: ["prefix"] }] });
  });

  it("of another organisation is never mentioned", async () => {
    await createTestCluster(await createTestOrganization(database.db), "192.0.2.0/24");
    const { cluster } = await createTestCluster(ctx, "198.51.100.0/24");
    await createAddressPool(ctx, { clusterId: cluster.id, name: "more", prefix: "192.0.2.0/24", note: "" });
  });

  it("is created only once when many create overlapping ones at once", async () => {
    const { cluster } = await createTestCluster(ctx);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) =>
        createAddressPool(ctx, { clusterId: cluster.id, name: `p${n}`, prefix: `10.0.0.0/${8 + n}`, note: "" }),
      ),
    );
    expect(outcomes.filter((each) => each.status === "fulfilled")).toHaveLength(1);
    for (const each of outcomes)
      if (each.status === "rejected")
        expect(each.reason).toMatchObject({ code: "conflict", fields: [{ path: ["prefix"] }] });
  });

  it("can't overlap even when a writer bypasses the verb", async () => {
    const { cluster, pool } = await createTestCluster(ctx);
    const data = {
      id: "pool_x",
      organizationId: ctx.organizationId,
      clusterId: cluster.id,
      name: "x",
      prefix: pool.prefix,
    };
    await expect(database.db.addressPool.create({ data })).rejects.toThrow("address_pool_no_overlap");
  });

  it("has one spelling", async () => {
    const { cluster } = await createTestCluster(ctx);
    const prefix = "2001:0DB8:0000::/48";
    const pool = await createAddressPool(ctx, { clusterId: cluster.id, name: "six", prefix, note: "" });
    expect(pool).toMatchObject({ prefix: "2001:db8::/48", capacity: 2 ** 80 });
  });

  it("has a note that lists find, that can be changed and cleared, and that the audit log keeps", async () => {
    const { cluster } = await createTestCluster(ctx);
    const note = "the uplink in Frankfurt, ask Ana";
    const spec = { clusterId: cluster.id, name: "uplink", prefix: "198.51.100.0/24", note };
    const pool = await createAddressPool(ctx, spec);
    expect(pool).toMatchObject(spec);
    const find = async (search: string) => (await listAddressPools(ctx, listSchema.parse({ search }))).items;
    expect(await find("frankfurt")).toEqual([pool]);
    const later = { ...ctx, now: new Date(ctx.now.getTime() + 1_000) };
    const changed = { ...pool, note: "the uplink in Paris" };
    expect(await updateAddressPool(later, pool.id, { note: "the uplink in Paris" })).toEqual(changed);
    expect(await find("frankfurt")).toEqual([]);
    expect(await updateAddressPool(later, pool.id, {})).toEqual(changed);
    const evenLater = { ...ctx, now: new Date(ctx.now.getTime() + 2_000) };
    expect(await updateAddressPool(evenLater, pool.id, { note: "" })).toEqual({ ...pool, note: "" });
    const where = { subjectId: pool.id };
    expect(await database.db.auditEntry.findMany({ where, orderBy: { at: "asc" } })).toMatchObject([
      { action: "address-pool.create", before: null, after: spec },
      { action: "address-pool.update", before: { note }, after: { note: "the uplink in Paris" } },
      { action: "address-pool.update", before: { note: "the uplink in Paris" }, after: { note: "" } },
    ]);
  });

  it("is kept while an exposure requests addresses from it, though it holds none at present", async () => {
    const { pool } = await createTestCluster(ctx);
    const [first, second] = [await createExposure(ctx, each(pool, "a")), await createExposure(ctx, each(pool, "b"))];
    expect(await getAddressPool(ctx, pool.id)).toMatchObject({ allocated: 0 });
    await expect(deleteAddressPool(ctx, pool.id)).rejects.toMatchObject({
      code: "conflict",
      message:
        "The exposure a and 1 more take addresses from the pool public. Delete what no longer needs it, or choose another pool there, first.",
    });
    await deleteExposure(ctx, first.id);
    await expect(deleteAddressPool(ctx, pool.id)).rejects.toThrow(
      "The exposure b takes addresses from the pool public.",
    );
    await deleteExposure(ctx, second.id);
    await deleteAddressPool(ctx, pool.id);
  });

  it("that is being deleted can't be used by an exposure created meanwhile", async () => {
    const { pool } = await createTestCluster(ctx);
    const going = await database.db.$transaction(async (tx) => {
      await tx.addressPool.delete({ where: { id: pool.id } });
      const making = createExposure(ctx, each(pool, "a")).catch((error: unknown) => error);
      await vi.waitFor(
        async () => {
          const waiting = await database.db.$queryRaw<object[]>`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
          expect(waiting).not.toEqual([]);
        },
        { timeout: 30_000 },
      );
      return { making };
    });
    expect(await going.making).toMatchObject({ code: "invalid", fields: [{ path: ["strategy", "poolId"] }] });
  });

  it("is kept while an address of it is in use", async () => {
    const { pool } = await createTestCluster(ctx);
    const exposure = await createExposure(ctx, testSpec(pool));
    await expect(deleteAddressPool(ctx, pool.id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("has 1 of its addresses in use"),
    });
    await deleteExposure(ctx, exposure.id);
    await expect(deleteAddressPool(ctx, pool.id)).rejects.toMatchObject({ code: "conflict" });
    await removeExposure(database.db, exposure.id, ctx.now);
    await deleteAddressPool(ctx, pool.id);
    await expect(getAddressPool(ctx, pool.id)).rejects.toMatchObject({ code: "not-found" });
  });
});
