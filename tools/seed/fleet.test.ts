import { addressToNumber, type Prefix, parsePrefix, usableRange } from "@fairlead/domain/address";
import { describe, expect, it } from "vitest";
import { planFleet, type Sizes } from "./fleet.ts";
import { Random } from "./random.ts";
import type { Rows } from "./rows.ts";

const now = new Date("2026-11-20T12:00:00Z");
const plan = (sizes: Sizes, taken: string[] = []) =>
  planFleet({ organizationId: "org_1", clusterNames: new Set(taken) }, sizes, new Random(1), now);
const column = (rows: Rows, table: string, name: string) => (rows[table] ?? []).map((row) => String(row[name]));

describe("a generated fleet", () => {
  it.each<Sizes>([
    { clusters: 100, loadBalancers: 1_000, agents: 100 },
    { clusters: 1, loadBalancers: 10_000, agents: 1 },
    { clusters: 3, loadBalancers: 255, agents: 0 },
  ])("has the requested sizes, with unique addresses, each from its own pool: %j", (sizes) => {
    const rows = plan(sizes);
    expect([rows.cluster?.length, rows.load_balancer?.length, rows.agent?.length ?? 0]).toEqual([
      sizes.clusters,
      sizes.loadBalancers,
      sizes.agents,
    ]);
    const pools = new Map((rows.address_pool ?? []).map((pool) => [pool.id, usableRange(parsed(String(pool.prefix)))]));
    const strays = (rows.virtual_address ?? []).filter((row) => {
      const address = addressToNumber(String(row.address), 4);
      const pool = pools.get(row.pool_id);
      return !pool || address < pool.first || address > pool.last;
    });
    expect(strays).toEqual([]);
    const addresses = column(rows, "virtual_address", "address");
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it("is added to an earlier one under new names", () => {
    const sizes = { clusters: 25, loadBalancers: 0, agents: 0 };
    const former = column(plan(sizes), "cluster", "name");
    const names = column(plan(sizes, former), "cluster", "name");
    expect(former[0]).toBe("fra-01");
    expect(new Set([...former, ...names]).size).toBe(50);
  });
});

function parsed(text: string): Prefix {
  const prefix = parsePrefix(text);
  if ("problem" in prefix) throw new Error(prefix.problem);
  return prefix;
}
