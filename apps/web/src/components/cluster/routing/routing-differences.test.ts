import { updateClusterRouting } from "@fairlead/domain/routing";
import { expect, it } from "vitest";
import { routingDifferences } from "./routing-differences.ts";

const settings = updateClusterRouting.parse({ asn: 65_021, balancers: ["10.0.0.0/24"] });

it("lists changed fields, and never a password", () => {
  const before = { ...settings, hasPassword: true };
  expect(routingDifferences(before, settings)).toEqual([]);
  expect(routingDifferences(before, { ...settings, holdSeconds: 30, password: "known-to-peers" })).toEqual([
    { path: "holdSeconds", before: "9", after: "30" },
    { path: "password", before: "set", after: "a new one" },
  ]);
  expect(routingDifferences(before, { ...settings, password: null })).toEqual([
    { path: "password", before: "set", after: "none" },
  ]);
});
