import { expect, it } from "vitest";
import { queryRoutingTable } from "./routing-table.ts";

const agentId = "agt_01kav3x0zq8w4m2n6r5t7y9b1c";

it.each([
  [{}, "covers"],
  [{ covers: "203.0.113" }, "covers"],
  [{ prefix: "203.0.113.7/24" }, "prefix"],
  [{ covers: "203.0.113.7", after: "x" }, "after"],
  [{ covers: "203.0.113.7", limit: 201 }, "limit"],
])("rejects a query for all tables: %o", (input, field) => {
  const parsed = queryRoutingTable.safeParse(input);
  expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual([field]);
});

it.each([{ covers: "203.0.113.7" }, { prefix: "2001:db8::/64" }, { agentId }, { agentId, after: "x", limit: 200 }])(
  "accepts a query for a page: %o",
  (input) => expect(queryRoutingTable.parse(input)).toMatchObject(input),
);
