import { expect, it } from "vitest";
import { announcementsInput, lookedUpIn, type RoutingParams, tableInput, timelineInput } from "./search-params.ts";

const params = (address: string): RoutingParams => ({
  cluster: null,
  address,
  table: null,
  sessionsFrom: 0,
  announcedFrom: 0,
  routesFrom: 0,
});

it.each([
  ["203.0.113.7", "203.0.113.7", { covers: "203.0.113.7" }],
  [" 203.0.113.0/24 ", "203.0.113.0/24", { prefix: "203.0.113.0/24" }],
  ["2001:db8::/64", "2001:db8::/64", { prefix: "2001:db8::/64" }],
  ["203.0.113", null, {}],
  ["203.0.113.7/24", null, {}],
])("parses %j", (text, wanted, filter) => {
  expect(lookedUpIn(text)).toBe(wanted);
  expect(announcementsInput(params(text))).toEqual({ ...filter, limit: 50 });
  expect(tableInput(params(text), "")).toEqual(wanted ? { ...filter, limit: 50 } : null);
  expect(timelineInput(params(text), null, 12)).toEqual({
    topic: "routing",
    ...(wanted ? { mentions: wanted } : {}),
    limit: 12,
  });
});

it("turns pages", () => {
  expect(announcementsInput({ ...params(""), announcedFrom: 100 })).toEqual({ offset: 100, limit: 50 });
  expect(announcementsInput({ ...params(""), announcedFrom: -3 })).toEqual({ limit: 50 });
});
