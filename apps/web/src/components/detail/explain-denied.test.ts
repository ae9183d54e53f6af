import { permissions } from "@fairlead/domain/access";
import { expect, it } from "vitest";
import { explainDenied } from "./explain-denied.ts";

it("names the roles that have the permission, the lowest first", () => {
  expect(explainDenied("exposure:write", "viewer")).toBe(
    "As viewer you can't change exposures. Ask an operator or an owner.",
  );
  expect(explainDenied("key:write", "operator")).toBe(
    "As operator you can't create and revoke API keys. Ask an owner.",
  );
});

it("names the owner if the role has the permission, and the member doesn't", () => {
  expect(explainDenied("map:read", "viewer")).toBe("You may not read address maps. Ask an owner.");
});

it.each(permissions)("names what %s allows in words", (permission) => {
  expect(explainDenied(permission, "viewer")).not.toContain(permission);
});
