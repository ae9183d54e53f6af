import { conflict } from "@fairlead/domain";
import { expect, it } from "vitest";
import { Refusal, sentenceOf } from "./refusal.ts";

it("shows what was planned for as its sentence, and a fault of ours as it is", () => {
  expect(sentenceOf(new Refusal("Do this."))).toBe("Do this.");
  expect(sentenceOf(conflict("There is one already."))).toBe("There is one already.");
  expect(sentenceOf(new TypeError("x is not a function"))).toBeNull();
});
