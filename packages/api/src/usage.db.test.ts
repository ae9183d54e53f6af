import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { ServiceContext } from "@fairlead/services";
import { meterDue } from "@fairlead/services/gateway";
import { createTestExposure, createTestNode, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestApi, type TestApi } from "./testing/index.ts";

let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;
let ids: { exposure: string; cluster: string };
const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await createTestOrganization(database.db);
  api = createTestApi(owner);
  const { cluster, exposure } = await createTestExposure(owner, { labels: { team: "shop" } });
  const { nodeId, agentId } = await createTestNode(owner, cluster.id);
  ids = { exposure: exposure.id, cluster: cluster.id };
  await database.db.replica.updateMany({ data: { nodeId, agentId } });
  const createdAt = new Date(hour.getTime() - 3 * 3_600_000);
  await database.db.loadBalancer.updateMany({ data: { createdAt } });
  await meterDue(database.db, new Date(createdAt.getTime() + 60_000));
  await meterDue(database.db, new Date(hour.getTime() + 120_000));
});
afterAll(async () => {
  api.close();
  await database.drop();
});

const get = async (path: string) => {
  const response = await api.fetch(owner, path);
  return { status: response.status, body: (await response.json()) as never };
};
const span = () => `from=${new Date(hour.getTime() - 3 * 3_600_000).toISOString()}&to=${hour.toISOString()}`;

it("shows what an exposure used, by the hour, and that it was not measured", async () => {
  const { status, body } = await get(`/usage?exposureId=${ids.exposure}&step=hour&${span()}`);
  expect(status).toBe(200);
  const missing = { balancerHours: 1, bytesIn: null, measuredShare: 0 };
  expect(body).toMatchObject({ total: 1, items: [{ id: ids.exposure, points: [missing, missing, missing] }] });
});

it("reports which part of a cost is unknown and what to do, then its machines", async () => {
  const costs = () => get(`/costs?groupBy=label:team&${span()}`);
  expect((await costs()).body).toMatchObject({
    knownShare: 0,
    items: [{ id: "shop", micros: 0, reasons: [{ balancers: 1 }] }],
  });
  await database.db.pricePoint.create({
    data: {
      ...{
        id: "prc_1",
        provider: "own",
        region: "any",
        sku: "machine-2x1000",
        unit: "hour",
        fromUnits: 0,
        micros: 40_000,
      },
      ...{ per: 1, currency: "USD", asOf: "2026-01-01", source: "t", confidence: "own", recordedAt: hour },
    },
  });
  const runsAs = { provider: "own", region: "any", machine: "2x1000" };
  const changed = await api.fetch(owner, `/clusters/${ids.cluster}`, { method: "PATCH", json: { runsAs } });
  expect([changed.status, await changed.json()]).toMatchObject([200, { runsAs: { ...runsAs, machineShare: 1 } }]);
  expect((await costs()).body).toMatchObject({ knownShare: 1, micros: 120_000, prices: [{ asOf: "2026-01-01" }] });
});

it("recalculates hours, and records who requested it", async () => {
  const json = { from: new Date(hour.getTime() - 3 * 3_600_000).toISOString(), to: hour.toISOString() };
  const response = await api.fetch(owner, "/usage/recounts", { method: "POST", json });
  expect([response.status, await response.json()]).toEqual([200, { ...json, hours: 3 }]);
  expect((await get(`/usage?${span()}`)).body).toMatchObject({ waiting: 3 });
  expect(await database.db.auditEntry.count({ where: { action: "usage.recount" } })).toBe(1);
});

it.each([
  [{ from: "2199-01-01T00:00:00Z" }, "from", "earlier"],
  [{ from: hour.toISOString(), to: new Date(hour.getTime() + 9 * 3_600_000).toISOString() }, "from", "not over yet"],
  [{ from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" }, "from", "31 days"],
  [{ from: "2026-02-02T00:00:00Z", to: "2026-02-01T00:00:00Z" }, "to", "swap"],
  [{ from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" }, "from", "later time"],
  [{}, "from", ""],
])("refuses to recalculate %j and names the field %s", async (json, field, cure) => {
  const response = await api.fetch(owner, "/usage/recounts", { method: "POST", json });
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { errors: [{ pointer: `#/${field}`, message: expect.stringContaining(cure) }] },
  ]);
});

it.each([
  ["costs", "from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z", "to", "swap them"],
  ["usage", "from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z", "to", "swap them"],
  ["costs", "from=2199-01-01T00:00:00Z", "from", "earlier"],
  ["costs", "from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", "from", "400 days"],
  ["usage", "from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z&step=hour", "step", "set the step day"],
  ["costs", "from=yesterday", "from", "2026-01-31T12:00:00Z"],
  ["costs", "groupBy=colour", "groupBy", "label:team"],
  ["usage", "groupBy=label:team", "groupBy", "exposure"],
  ["costs", "currency=euro", "currency", "USD"],
])("refuses /%s?%s and names the field %s", async (path, query, field, cure) => {
  const { status, body } = await get(`/${path}?${query}`);
  expect(status).toBe(422);
  expect((body as { errors: object[] }).errors).toMatchObject([
    { in: "query", name: field, message: expect.stringContaining(cure) },
  ]);
});
