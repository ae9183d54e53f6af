import { expect, it } from "vitest";
import { unmeasuredWord } from "./unmeasured-word.ts";

it("tells a setting from a figure that is missing", () => {
  expect(unmeasuredWord("eu-central-1")).toBe("Setting");
  expect(unmeasuredWord(false)).toBe("Setting");
  expect(unmeasuredWord(null)).toBe("Not measured");
});
