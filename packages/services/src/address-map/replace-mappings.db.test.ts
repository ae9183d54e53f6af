import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { removeExposure } from "../exposure/index.ts";
import { createTestExposure, createTestOrganization } from "../testing/index.ts";
import { dropMappings, leaveMap, replaceMappings } from "./replace-mappings.ts";
import { mappingChangeRetentionMs, mostMappingChanges, sweepMappingChanges } from "./sweep-changes.sql.ts";
import type { SeenMapping } from "./write-mappings.sql.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let exposure: { id: string; organizationId: string };
let loadBalancerId: string;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.addressMappingChange.deleteMany();
  ctx = await createTestOrganization(database.db);
  const made = await createTestExposure(ctx);
  exposure = { id: made.exposure.id, organizationId: ctx.organizationId };
  loadBalancerId = (await ctx.db.loadBalancer.findFirstOrThrow({ where: { exposureId: exposure.id } })).id;
});

const mapping = (n: number, change: Partial<SeenMapping> = {}): SeenMapping => ({
  loadBalancerId,
  instance: `redis-${n}`,
  pod: `redis-${n}`,
  node: "node-a",
  protocol: "tcp",
  internalAddress: `10.0.0.${n}`,
  internalPort: 6379,
  externalAddress: `192.0.2.${n}`,
  externalPort: 6379,
  ready: true,
  ...change,
});
const see = (second: number, ...seen: SeenMapping[]) =>
  replaceMappings(ctx.db, exposure, [loadBalancerId], seen, at(second));

async function currentMap() {
  const status = await ctx.db.exposureStatus.findUnique({ where: { exposureId: exposure.id } });
  const rows = await ctx.db.addressMapping.findMany({
    where: { exposureId: exposure.id },
    orderBy: [{ instance: "asc" }, { internalPort: "asc" }],
  });
  return {
    generation: status?.mapGeneration ?? 0,
    changedAt: status?.mapChangedAt ?? null,
    rows: rows.map((row) => [row.instance, row.generation, row.since.getUTCSeconds(), row.observedAt.getUTCSeconds()]),
  };
}

async function history(): Promise<string[]> {
  const rows = await ctx.db.addressMappingChange.findMany({
    where: { exposureId: exposure.id },
    orderBy: [{ generation: "asc" }, { instance: "asc" }],
  });
  return rows.map((row) => `${row.generation} ${row.instance} ${row.what} ${row.at.getUTCSeconds()}`);
}

describe("a map's generation", () => {
  it("rises by one for any number of changes at once, and not when nothing changed", async () => {
    await see(1, mapping(1), mapping(2));
    expect(await currentMap()).toEqual({
      generation: 1,
      changedAt: at(1),
      rows: [
        ["redis-1", 1, 1, 1],
        ["redis-2", 1, 1, 1],
      ],
    });
    await see(2, mapping(2), mapping(1));
    expect(await currentMap()).toEqual({
      generation: 1,
      changedAt: at(1),
      rows: [
        ["redis-1", 1, 1, 2],
        ["redis-2", 1, 1, 2],
      ],
    });
    expect(await history()).toEqual(["1 redis-1 added 1", "1 redis-2 added 1"]);
  });

  it("is given to each changed mapping, and the others keep theirs and their age", async () => {
    await see(1, mapping(1), mapping(2));
    await see(2, mapping(1), mapping(2, { externalAddress: "192.0.2.9" }));
    await see(3, mapping(1, { ready: false }), mapping(2, { externalAddress: "192.0.2.9" }));
    await see(4, mapping(1, { ready: false, node: "node-b" }), mapping(2, { externalAddress: "192.0.2.9" }));
    expect(await currentMap()).toMatchObject({
      generation: 4,
      rows: [
        // Another node is a change for a client; how long it has not been ready stays the same.
        ["redis-1", 4, 3, 4],
        ["redis-2", 2, 2, 4],
      ],
    });
    expect(await history()).toEqual([
      "1 redis-1 added 1",
      "1 redis-2 added 1",
      "2 redis-2 moved 2",
      "3 redis-1 unready 3",
      "4 redis-1 moved 4",
    ]);
  });

  it("rises for another server name, and stays where it is seen again", async () => {
    const named = (serverName?: string) => mapping(1, serverName === undefined ? {} : { serverName });
    const name = async () =>
      (await ctx.db.addressMapping.findFirst({ where: { exposureId: exposure.id } }))?.serverName;
    await see(1, named("redis-1.example.com"));
    await see(2, named("redis-1.example.com"));
    expect([(await currentMap()).generation, await name()]).toEqual([1, "redis-1.example.com"]);
    await see(3, named());
    expect([(await currentMap()).generation, await name()]).toEqual([2, null]);
    await leaveMap(ctx.db, exposure, [loadBalancerId], at(4));
    expect(await name()).toBeNull();
  });

  it("rises for removals: out of the map, with its balancer, or because its balancer is being removed", async () => {
    await see(1, mapping(1), mapping(2));
    await see(2, mapping(2));
    await leaveMap(ctx.db, exposure, [loadBalancerId], at(3));
    await leaveMap(ctx.db, exposure, [loadBalancerId], at(4));
    await dropMappings(ctx.db, exposure, [loadBalancerId], at(5));
    expect(await currentMap()).toEqual({ generation: 4, changedAt: at(5), rows: [] });
    expect((await history()).slice(2)).toEqual(["2 redis-1 removed 2", "3 redis-2 unready 3", "4 redis-2 removed 5"]);
  });

  it("covers an instance as a whole, though only one of its balancers was observed", async () => {
    const other = await createTestExposure(ctx);
    const [second] = await ctx.db.loadBalancer.findMany({ where: { exposureId: other.exposure.id } });
    const behind = mapping(1, { internalPort: 6380, externalPort: 6380, loadBalancerId: second?.id ?? "" });
    await see(1, mapping(1), mapping(2));
    await replaceMappings(ctx.db, exposure, [behind.loadBalancerId], [behind], at(2));
    await see(3, mapping(1, { externalPort: 7000 }), mapping(2));
    const [last] = await ctx.db.addressMappingChange.findMany({
      where: { exposureId: exposure.id, generation: 3 },
    });
    const end = { protocol: "tcp", internalAddress: "10.0.0.1", externalAddress: "192.0.2.1", ready: true };
    const beside = { ...end, internalPort: 6380, externalPort: 6380 };
    expect(last).toMatchObject({
      before: { ends: [{ ...end, internalPort: 6379, externalPort: 6379 }, beside] },
      after: { ends: [{ ...end, internalPort: 6379, externalPort: 7000 }, beside] },
    });
  });

  it("stays where an address is only spelled differently", async () => {
    await see(1, mapping(1, { internalAddress: "2001:db8::1" }));
    await see(2, mapping(1, { internalAddress: "2001:0DB8:0:0::1" }));
    expect(await currentMap()).toMatchObject({ generation: 1, rows: [["redis-1", 1, 1, 2]] });
  });

  it("is recorded with the state before and after", async () => {
    await see(1, mapping(1));
    await see(2, mapping(1, { externalPort: 7000 }));
    const end = { protocol: "tcp", internalAddress: "10.0.0.1", internalPort: 6379, externalAddress: "192.0.2.1" };
    expect(
      await ctx.db.addressMappingChange.findFirst({ where: { what: "moved", exposureId: exposure.id } }),
    ).toMatchObject({
      organizationId: ctx.organizationId,
      before: { pod: "redis-1", node: "node-a", ready: true, ends: [{ ...end, externalPort: 6379, ready: true }] },
      after: { ready: true, ends: [{ ...end, externalPort: 7000, ready: true }] },
    });
  });

  it("is deleted with its exposure, and so is its history", async () => {
    await see(1, mapping(1));
    await ctx.db.exposure.update({ where: { id: exposure.id }, data: { deletedAt: at(2) } });
    expect(await removeExposure(ctx.db, exposure.id, at(2))).toBe(true);
    expect(await ctx.db.addressMapping.count({ where: { exposureId: exposure.id } })).toBe(0);
    expect(await history()).toEqual([]);
  });
});

describe("the history of maps", () => {
  it("is deleted once it is old, and no sooner", async () => {
    await see(1, mapping(1));
    await see(3, mapping(2));
    const now = new Date(at(2).getTime() + mappingChangeRetentionMs);
    expect(await sweepMappingChanges(ctx.db, now)).toBe(1);
    expect(await sweepMappingChanges(ctx.db, now)).toBe(0);
    expect(await history()).toEqual(["2 redis-1 removed 3", "2 redis-2 added 3"]);
  });

  it("is bounded for each exposure, and the newest stay", async () => {
    await ctx.db.$executeRaw`
      INSERT INTO address_mapping_change (id, organization_id, exposure_id, instance, what, generation, at)
      SELECT 'mch_' || ${exposure.id} || n, ${ctx.organizationId}, ${exposure.id}, 'i', 'ready', n, ${at(0)}::timestamptz + n * interval '1 second'
      FROM generate_series(1, ${mostMappingChanges + 5}::int) AS n`;
    expect(await sweepMappingChanges(ctx.db, at(60))).toBe(5);
    const oldest = await ctx.db.addressMappingChange.findFirst({
      where: { exposureId: exposure.id },
      orderBy: { at: "asc" },
    });
    expect(oldest?.generation).toBe(6);
  });
});
