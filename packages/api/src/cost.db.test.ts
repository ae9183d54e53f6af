import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { readPriceSeed } from "@fairlead/domain/cost/price-seed";
import { importPrices, type ServiceContext } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addressHeader, callProcedure, createTestApi, type TestApi } from "./testing/index.ts";

let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;
beforeAll(async () => {
  database = await createTestDatabase();
  await importPrices(database.db, { name: "seed", points: readPriceSeed() }, new Date());
});
beforeEach(async () => {
  owner = await createTestOrganization(database.db);
  api = createTestApi(owner);
  await database.db.allowance.deleteMany();
});
afterAll(async () => {
  api.close();
  await database.drop();
});

const from = (address: string) => ({ [addressHeader]: address });
const ask = (json: object, as: ServiceContext | null = null, headers: Record<string, string> = from("192.0.2.1")) =>
  api.fetch(as, "/cost/estimate", { method: "POST", json, headers });

describe("an estimate", () => {
  it("shows an anonymous client what 25 Mbit/s cost through a classic balancer", async () => {
    const response = await ask({ profile: { averageMbps: 25 }, providers: ["aws"] });
    expect(response.status).toBe(200);
    const { options } = (await response.json()) as {
      options: { offerId: string; breakdown: { unit: string; quantity: number; hourlyMicros: number }[] }[];
    };
    const classic = options.find((each) => each.offerId === "aws-clb");
    expect(classic?.breakdown.find((each) => each.unit === "GB")).toMatchObject({
      quantity: 11.25,
      hourlyMicros: 90_000,
    });
  });

  it.each([
    [{ averageMbps: -1 }, "averageMbps"],
    [{ averageMbps: 1e18 }, "averageMbps"],
    [{ averageMbps: "NaN" }, "averageMbps"],
    [{ averageMbps: 10, peakMbps: 5 }, "peakMbps"],
    [
      { averageMbps: 10, newConnectionsPerSecond: 1, connectionDurationSeconds: 1, activeConnections: 9 },
      "activeConnections",
    ],
  ])("names the wrong field of %j", async (profile, field) => {
    const response = await ask({ profile });
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map((each) => each.pointer)).toEqual([`#/profile/${field}`]);
  });

  it("lists the known regions when one is unknown", async () => {
    const response = await ask({ profile: { averageMbps: 1 }, providers: ["aws"], regions: ["us-esat-1"] });
    expect(response.status).toBe(422);
    expect(((await response.json()) as { detail: string }).detail).toContain("us-east-1");
  });

  it("is rate-limited for anonymous clients and unlimited for identified ones", async () => {
    const responses = await Promise.all(Array.from({ length: 70 }, () => ask({ profile: { averageMbps: 1 } })));
    const refused = responses.filter((each) => each.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask({ profile: { averageMbps: 1 } }, owner)).status).toBe(200);
    expect((await ask({ profile: { averageMbps: 1 } }, null, from("192.0.2.2"))).status).toBe(200);
  });

  it("by the prices of an earlier day is the same to the cent, whatever price lists were loaded since", async () => {
    const own = await createTestDatabase();
    const here = createTestApi(await createTestOrganization(own.db));
    const seed = readPriceSeed();
    const dearer = seed.map((point) => ({ ...point, micros: point.micros * 2 }));
    const newer = seed.flatMap((point) => (point.sku === "alb" ? [{ ...point, asOf: "2026-11-01", micros: 1 }] : []));
    const before = { profile: { averageMbps: 25 }, regions: ["us-east-1"] };
    const answer = async (json: object) => {
      const response = await here.fetch(null, "/cost/estimate", { method: "POST", json, headers: from("192.0.2.9") });
      return (await response.json()) as { pricesOf: string; detail?: string; options: object[] };
    };
    await importPrices(own.db, { name: "seed", points: seed }, new Date(Date.now() - 60_000));
    const then = await answer(before);
    await importPrices(own.db, { name: "seed", points: [...dearer, ...newer] }, new Date());
    const linked = { ...before, pricesOf: then.pricesOf };
    expect(await answer(linked)).toEqual(then);
    const later = { ...before, pricesOf: new Date().toISOString() };
    expect((await answer(later)).options).not.toEqual(then.options);
    expect((await answer({ ...before, pricesOf: "2020-01-01" })).detail).toContain("Omit pricesOf");
    here.close();
    await own.drop();
  });
});

describe("where the installation rejects anonymous clients", () => {
  const post = { method: "POST", json: { profile: { averageMbps: 1 } } };
  it.each([
    ["/cost/estimate", post],
    ["/cost/offers", {}],
    ["/cost/price-points", {}],
  ])("%s is for members alone", async (path, request) => {
    const closed = createTestApi({ ...owner, settings: { ...owner.settings, isCalculatorClosed: true } });
    expect((await closed.fetch(null, path, request)).status).toBe(401);
    expect((await closed.fetch(owner, path, request)).status).toBe(200);
    closed.close();
  });

  it("so are the prices that a page calculates with", async () => {
    const closed = createTestApi({ ...owner, settings: { ...owner.settings, isCalculatorClosed: true } });
    await expect(callProcedure(closed, null, "cost.prices", {})).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(callProcedure(closed, owner, "cost.prices", {})).resolves.toMatchObject({ hasNewer: false });
    closed.close();
  });
});

it("keeps a price book by REST, and names the field that it refuses", async () => {
  const ask = (path: string, method: string, json?: object) =>
    api.fetch(owner, `/cost/price-book${path}`, { method, ...(json ? { json } : {}) });
  const price = { provider: "aws", region: "any", sku: "alb", validFrom: "2026-01-01" };
  const wrong = await ask("/prices", "POST", { ...price, sku: "albb", price: { kind: "discount", percent: 10 } });
  expect(wrong.status).toBe(422);
  expect((await wrong.json()) as object).toMatchObject({ errors: [{ pointer: "#/sku" }] });
  const made = await ask("/prices", "POST", { ...price, price: { kind: "discount", percent: 10 } });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const changed = await ask(`/prices/${id}`, "PATCH", {
    price: { kind: "amount", micros: 1_000, currency: "USD" },
  });
  expect((await changed.json()) as object).toMatchObject({
    unit: "hour",
    price: { kind: "amount", micros: 1_000, per: 1, currency: "USD" },
  });
  const listed = await ask("/prices", "GET");
  expect((await listed.json()) as object).toMatchObject({ total: 1, items: [{ id }] });
  expect((await ask(`/prices/${id}`, "DELETE")).status).toBe(204);
  const rate = await ask("/rates", "POST", { from: "EUR", to: "EUR", rate: 0, asOf: "2026-02-30" });
  const { errors } = (await rate.json()) as { errors: { pointer: string }[] };
  expect(errors.map((each) => each.pointer)).toEqual(expect.arrayContaining(["#/rate", "#/asOf"]));
});

it("shows the source of each price, and everything that is compared", async () => {
  const prices = await api.fetch(null, "/cost/price-points?provider=oracle&limit=200", { headers: from("192.0.2.3") });
  const { items } = (await prices.json()) as { items: { source: string; asOf: string | null; micros: number }[] };
  expect(items.length).toBe(readPriceSeed().filter((each) => each.provider === "oracle").length);
  expect(items.every((each) => each.source !== "")).toBe(true);
  const offers = await api.fetch(null, "/cost/offers", { headers: from("192.0.2.3") });
  const sold = (await offers.json()) as { items: { id: string; regions: string[] }[] };
  expect(sold.items.find((each) => each.id === "aws-clb")?.regions).toContain("us-east-1");
});
