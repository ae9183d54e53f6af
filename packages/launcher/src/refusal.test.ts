import { conflict } from "@fairlead/domain";
import { expect, it } from "vitest";
import { messageOf, Refusal } from "./refusal.ts";

it("shows expected errors as a message, and bugs unchanged", () => {
  expect(messageOf(new Refusal("Do this."))).toBe("Do this.");
  expect(messageOf(conflict("There is one already."))).toBe("There is one already.");
  expect(messageOf(new TypeError("x is not a function"))).toBeNull();
});
