import { expect, it } from "vitest";
import { describeChange } from "./describe-change.ts";

it.each([
  [{ role: "operator", denied: [] }, { role: "operator" }, "is now operator"],
  [{ role: "viewer", denied: ["map:read"] }, { denied: ["map:read"] }, "may not read address maps any more"],
  [{ role: "viewer", denied: [] }, { denied: [] }, "may read address maps again"],
] as const)("describes %o after the change %o", (member, changed, sentence) => {
  expect(describeChange({ ...member, denied: [...member.denied] }, changed as object)).toBe(sentence);
});
