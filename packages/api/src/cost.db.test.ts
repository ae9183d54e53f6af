import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { readPriceSeed } from "@fairlead/domain/price-seed";
import { type ServiceContext, takeInPrices } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addressHeader, createTestApi, type TestApi } from "./testing/index.ts";

let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;
beforeAll(async () => {
  database = await createTestDatabase();
  await takeInPrices(database.db, { name: "seed", points: readPriceSeed() }, new Date());
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
  it("tells a stranger what 25 Mbit/s cost through a classic balancer", async () => {
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
  ])("says which field is wrong of %j", async (profile, field) => {
    const response = await ask({ profile });
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map((each) => each.pointer)).toEqual([`#/profile/${field}`]);
  });

  it("names the regions that there are when one is unknown", async () => {
    const response = await ask({ profile: { averageMbps: 1 }, providers: ["aws"], regions: ["us-esat-1"] });
    expect(response.status).toBe(422);
    expect(((await response.json()) as { detail: string }).detail).toContain("us-east-1");
  });

  it("is for strangers only so often, and for whoever is somebody always", async () => {
    const asked = await Promise.all(Array.from({ length: 70 }, () => ask({ profile: { averageMbps: 1 } })));
    const refused = asked.filter((each) => each.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask({ profile: { averageMbps: 1 } }, owner)).status).toBe(200);
    expect((await ask({ profile: { averageMbps: 1 } }, null, from("192.0.2.2"))).status).toBe(200);
  });

  it("is for members alone where whoever installed us says so", async () => {
    const closed = createTestApi({ ...owner, settings: { ...owner.settings, isCalculatorClosed: true } });
    const request = { method: "POST", json: { profile: { averageMbps: 1 } } };
    expect((await closed.fetch(null, "/cost/estimate", request)).status).toBe(401);
    expect((await closed.fetch(owner, "/cost/estimate", request)).status).toBe(200);
    closed.close();
  });
});

it("shows where each price is from, and everything that is compared", async () => {
  const prices = await api.fetch(null, "/cost/price-points?provider=oracle&limit=200", { headers: from("192.0.2.3") });
  const { items } = (await prices.json()) as { items: { source: string; asOf: string | null; micros: number }[] };
  expect(items.length).toBe(readPriceSeed().filter((each) => each.provider === "oracle").length);
  expect(items.every((each) => each.source !== "")).toBe(true);
  const offers = await api.fetch(null, "/cost/offers", { headers: from("192.0.2.3") });
  const sold = (await offers.json()) as { items: { id: string; regions: string[] }[] };
  expect(sold.items.find((each) => each.id === "aws-clb")?.regions).toContain("us-east-1");
});
