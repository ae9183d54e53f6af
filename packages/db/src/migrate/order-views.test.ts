import { describe, expect, it } from "vitest";
import { orderViews } from "./order-views.ts";
import { MigrationRefused } from "./refused.ts";

const order = (views: Record<string, string>) =>
  orderViews(Object.entries(views).map(([name, sql]) => ({ name, sql }))).map(({ name }) => name);

describe("orderViews", () => {
  it("puts a view after all views that it reads", () => {
    expect(
      order({
        a: `CREATE VIEW "a" AS SELECT * FROM b JOIN "d" USING (id)`,
        b: `CREATE VIEW "b" AS SELECT * FROM c`,
        c: `CREATE VIEW "c" AS SELECT 1`,
        d: `CREATE VIEW "d" AS SELECT * FROM public.b`,
      }),
    ).toEqual(["c", "b", "d", "a"]);
  });

  it("orders the others by name", () => {
    expect(order({ c: "SELECT 1", a: "SELECT 2", b: "SELECT 3" })).toEqual(["a", "b", "c"]);
  });

  it("ignores names in comments and inside other words", () => {
    expect(order({ node: "-- As agent has it.\nSELECT 1", agent: "SELECT node_id FROM node_status" })).toEqual([
      "agent",
      "node",
    ]);
  });

  it("rejects a cycle, and names its views", () => {
    const circle = { a: "SELECT * FROM b", b: "SELECT * FROM a", c: "SELECT 1" };
    expect(() => order(circle)).toThrow(MigrationRefused);
    expect(() => order(circle)).toThrow(/The views a, b read each other/);
  });
});
