import { expect, it } from "vitest";
import { reasonAgainst } from "./reason-against.ts";

it("says who may instead, the lowest role first", () => {
  expect(reasonAgainst("exposure:write", "viewer")).toBe(
    "As viewer you can't change exposures. Ask an operator or an owner.",
  );
  expect(reasonAgainst("key:write", "operator")).toBe("As operator you can't make and revoke API keys. Ask an owner.");
});
