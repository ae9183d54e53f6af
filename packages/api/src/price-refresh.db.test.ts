import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { PricePoint, PriceRefresh, PriceRefreshDetail } from "@fairlead/domain/cost";
import { claimPriceRefresh, finishPriceRefresh, importPrices, type ServiceContext } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestApi, type TestApi } from "./testing/index.ts";

let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = await createTestOrganization(database.db);
  api = createTestApi(owner);
});
afterAll(async () => {
  api.close();
  await database.drop();
});

const point: PricePoint = {
  provider: "oracle",
  region: "any",
  sku: "flexible-lb",
  unit: "hour",
  fromUnits: 0,
  micros: 11_300,
  per: 1,
  currency: "USD",
  asOf: "2026-09-20",
  source: "https://example.com/prices",
  confidence: "published",
};
const post = (path: string, json?: object) => api.fetch(owner, path, { method: "POST", ...(json ? { json } : {}) });

it("reads a feed, shows the prices that it holds back, and accepts or rejects them", async () => {
  await importPrices(database.db, { name: "seed", points: [point, { ...point, sku: "network-lb" }] }, new Date());
  const started = await post("/cost/refreshes", { feed: "oracle" });
  expect(started.status).toBe(201);
  const { id, state } = (await started.json()) as PriceRefresh;
  expect(started.headers.get("location")).toBe(`/api/v1/cost/refreshes/${id}`);
  expect(state).toBe("waiting");

  const claimed = await claimPriceRefresh(database.db, new Date());
  const points = [point, { ...point, sku: "network-lb" }].map((each) => ({
    ...each,
    micros: 20_000,
    asOf: "2026-11-24",
    confidence: "fed" as const,
  }));
  const read = { provider: "oracle" as const, points, asOf: "2026-11-24", source: "x", regions: ["any"], skus: [] };
  if (claimed) await finishPriceRefresh(database.db, claimed, { read }, new Date());

  const list = (await (await api.fetch(owner, "/cost/refreshes?state=held")).json()) as { items: PriceRefresh[] };
  expect(list.items).toMatchObject([{ id, state: "held", waitingCount: 2 }]);
  const { held } = (await (await api.fetch(owner, `/cost/refreshes/${id}`)).json()) as PriceRefreshDetail;
  const accepted = await post(`/cost/refreshes/${id}/accept`, { heldIds: [held[0]?.id] });
  expect(accepted.status).toBe(200);
  expect(await accepted.json()).toMatchObject({ state: "held", acceptedCount: 1 });
  expect(await (await post(`/cost/refreshes/${id}/reject`)).json()).toMatchObject({
    state: "applied",
    rejectedCount: 1,
  });
  expect((await post(`/cost/refreshes/${id}/reject`)).status).toBe(409);
});

it.each([
  ["a feed that is none", "/cost/refreshes", { feed: "ibm" }, "#/feed"],
  ["an id of something else", "/cost/refreshes/rfr_1/accept", { heldIds: ["exp_1"] }, "#/heldIds/0"],
  ["a choice of nothing", "/cost/refreshes/rfr_1/accept", { heldIds: [] }, "#/heldIds"],
])("refuses %s", async (_, path, json, pointer) => {
  const response = await post(path, json);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ pointer }] });
});

it("reports that there is no such refresh", async () => {
  expect((await api.fetch(owner, "/cost/refreshes/rfr_1")).status).toBe(404);
  expect((await post("/cost/refreshes/rfr_1/accept")).status).toBe(404);
});
