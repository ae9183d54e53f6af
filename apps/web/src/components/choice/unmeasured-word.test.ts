import { expect, it } from "vitest";
import { unmeasuredWord } from "./unmeasured-word.ts";

it("separates a setting from a figure that is missing", () => {
  expect(unmeasuredWord("met")).toBe("Setting");
  expect(unmeasuredWord("unmet")).toBe("Setting");
  expect(unmeasuredWord("unknown")).toBe("Not measured");
});
