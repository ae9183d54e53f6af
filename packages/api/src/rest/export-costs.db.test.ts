import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { startOfHour } from "@fairlead/domain/cost";
import { readPriceSeed } from "@fairlead/domain/cost/price-seed";
import { createApiKey, createNegotiatedPrice, importPrices, type ServiceContext } from "@fairlead/services";
import { createTestOrganization, createTestUser } from "@fairlead/services/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestApi, type TestApi } from "../testing/index.ts";
import { hour, meterTestUsage } from "../testing/meter-usage.ts";

const balancers = 1_203;
const span = `from=${startOfHour(hour).toISOString()}&to=${startOfHour(hour + 48).toISOString()}`;

let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await createTestUser(await createTestOrganization(database.db), "owner");
  api = createTestApi(owner, { recheckMs: 20 });
  await importPrices(database.db, { name: "seed", points: readPriceSeed() }, new Date());
  await meterTestUsage(owner, { balancers, hours: 48 });
  await meterTestUsage(await createTestOrganization(database.db), { balancers: 1, hours: 48 });
});
afterAll(async () => {
  api.close();
  await database.drop();
});

async function linesOf(query: string, as: ServiceContext = owner): Promise<string[]> {
  const response = await api.fetch(as, `/costs/export?${query}`);
  expect(response.status).toBe(200);
  return (await response.text()).split("\r\n").slice(0, -1);
}

/** The cell of a column in each line. */
function cellsOf([head = "", ...lines]: string[], name: string): string[] {
  const at = head.split(",").indexOf(name);
  return lines.map((line) => [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)][at]?.[1] ?? "");
}

const sumOf = (cells: string[]) => cells.reduce((sum, cell) => sum + Math.round(Number(cell) * 1e6), 0);

async function listed(query: string, as: ServiceContext = owner): Promise<{ micros: number }> {
  return (await (await api.fetch(as, `/costs?${query}`)).json()) as { micros: number };
}

describe("the export of costs", () => {
  it("is a CSV file with one line for each load balancer and day, and the sum of the list", async () => {
    const response = await api.fetch(owner, `/costs/export?${span}`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const today = new Date().toISOString().slice(0, 10);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="costs-${owner.organizationId}-${today}.csv"`,
    );
    const lines = (await response.text()).split("\r\n").slice(0, -1);
    expect(lines[0]).toBe(
      "from,to,load_balancer_id,load_balancer,exposure_id,exposure,cluster_id,cluster,currency,cost,known_share,balancer_hours,labels,notes",
    );
    expect(new Set(cellsOf(lines, "load_balancer_id")).size).toBe(balancers);
    expect(lines.length).toBe(1 + 2 * balancers);
    const { micros } = await listed(`${span}&groupBy=organization`);
    expect(micros).toBeGreaterThan(0);
    expect(sumOf(cellsOf(lines, "cost"))).toBe(micros);
  });

  it("has the same sum in FOCUS columns, by day and by hour", async () => {
    const { micros } = await listed(`${span}&groupBy=organization`);
    for (const step of ["day", "hour"]) {
      const lines = await linesOf(`${span}&format=focus&step=${step}`);
      expect(lines[0]).toMatch(/^BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,/);
      expect(sumOf(cellsOf(lines, "BilledCost"))).toBe(micros);
      expect(new Set(cellsOf(lines, "BillingAccountId"))).toEqual(new Set([owner.organizationId]));
    }
  });

  it("escapes cells that a spreadsheet would run as formulas", async () => {
    const lines = await linesOf(`${span}&loadBalancerId=lb_0`);
    expect(cellsOf(lines, "load_balancer")).toEqual(["'=1+1", "'=1+1"]);
    expect(cellsOf(await linesOf(`${span}&format=focus&loadBalancerId=lb_0`), "BilledCost").length).toBeGreaterThan(0);
  });

  it("is only its header if nothing matches", async () => {
    expect(await linesOf(`${span}&loadBalancerId=lb_none`)).toHaveLength(1);
  });

  it("reads usage only as fast as the client reads", async () => {
    const queries = vi.spyOn(database.db, "$queryRaw");
    try {
      const response = await api.fetch(owner, `/costs/export?${span}&step=hour`);
      const reader = response.body?.getReader();
      await reader?.read();
      await new Promise((resolve) => setTimeout(resolve, 100));
      const read = queries.mock.calls.filter(([sql]) => String(sql).includes("int4send(hour)"));
      // Of three batches: the first one, and the next that is read meanwhile.
      expect(read.length).toBeLessThanOrEqual(2);
      await reader?.cancel();
    } finally {
      queries.mockRestore();
    }
  });

  it.each([
    ["format=xml", 422, "format"],
    ["step=all", 422, "step"],
    ["limit=5", 400, "limit"],
    ["from=2024-01-01T00:00:00Z", 422, "from"],
    [`step=hour&from=2026-09-01T00:00:00Z&to=2026-11-01T00:00:00Z`, 422, "step"],
    ["currency=euro", 422, "currency"],
  ])("refuses %s", async (query, status, name) => {
    const response = await api.fetch(owner, `/costs/export?${query}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ errors: [{ in: "query", name }] });
  });

  it("answers HEAD without a body, and other methods not at all", async () => {
    const head = await api.fetch(owner, `/costs/export?${span}`, { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, null]);
    expect((await api.fetch(owner, "/costs/export", { method: "POST" })).status).toBe(405);
  });

  it("needs the permissions to read exposures and series", async () => {
    const { key } = await createApiKey(owner, {
      ...{ name: "ci", role: "operator", scopes: ["exposure:read"], requestsPerMinute: 600, expiresAt: null },
    });
    const headers = { authorization: `Bearer ${key}` };
    expect((await api.fetch(null, `/costs/export?${span}`, { headers })).status).toBe(403);
    expect((await api.fetch(null, `/costs/export?${span}`)).status).toBe(401);
  });

  it("has list costs next to the prices of the book, and only list prices for viewers", async () => {
    const before = (await listed(`${span}&groupBy=organization`)).micros;
    await createNegotiatedPrice(owner, {
      ...{ provider: "aws", region: "any", sku: "nlb", note: "", validFrom: "2020-01-01" },
      price: { kind: "discount", percent: 50 },
    });
    const lines = await linesOf(`${span}&format=focus`);
    const { micros } = await listed(`${span}&groupBy=organization`);
    expect(micros).toBeLessThan(before);
    expect([sumOf(cellsOf(lines, "BilledCost")), sumOf(cellsOf(lines, "ListCost"))]).toEqual([micros, before]);
    const viewer = await createTestUser(owner, "viewer");
    expect(sumOf(cellsOf(await linesOf(`${span}&format=focus`, viewer), "BilledCost"))).toBe(before);
  });
});
