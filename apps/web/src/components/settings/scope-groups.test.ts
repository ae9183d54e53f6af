import { expect, it } from "vitest";
import { readScopes, scopeGroups, withinRole } from "./scope-groups.ts";

it("groups every scope by its noun, once", () => {
  const groups = scopeGroups("owner");
  expect(groups.map((group) => group.noun)).toContain("identity provider");
  const scopes = groups.flatMap((group) => group.scopes.map((scope) => scope.permission));
  expect(new Set(scopes).size).toBe(scopes.length);
  expect(groups.flatMap((group) => group.scopes).every((scope) => scope.allowed)).toBe(true);
});

it("marks the scopes that a viewer's key can't have", () => {
  const cluster = scopeGroups("viewer").find((group) => group.noun === "cluster");
  expect(cluster?.scopes).toEqual([
    { permission: "cluster:read", verb: "read", allowed: true },
    { permission: "cluster:write", verb: "write", allowed: false },
  ]);
});

it("drops scopes that a lower role can't have", () => {
  expect(withinRole(["cluster:read", "cluster:write", "member:write"], "viewer")).toEqual(["cluster:read"]);
});

it("offers all read scopes", () => {
  expect(readScopes("viewer")).not.toContain("cluster:write");
  expect(readScopes("viewer")).toContain("series:read");
});
