import { expect, it } from "vitest";
import { isSummed, questionOfReplicas } from "./session-charts.tsx";

it("requests the series of each replica while the server returns as many, and their sums with more", () => {
  const { sumBy: ofFew, ...few } = questionOfReplicas(["lb_1"], 14);
  const { sumBy: ofMany, ...many } = questionOfReplicas(["lb_1"], 1_000);
  expect(few).toEqual(many);
  expect([ofFew, ofMany]).toEqual([undefined, "labels"]);
  expect([isSummed(14), isSummed(15)]).toEqual([false, true]);
});
