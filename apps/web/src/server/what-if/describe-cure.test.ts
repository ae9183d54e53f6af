import { expect, it } from "vitest";
import { describeCure } from "./describe-cure.ts";

it.each([
  ["linux", true, "Install Go"],
  ["linux", false, "deploy the image"],
  ["darwin", true, "on Linux only"],
] as const)("on %s, with the sources: %s, is: %s", (platform, canBuild, want) => {
  expect(describeCure(platform, canBuild)).toContain(want);
});
