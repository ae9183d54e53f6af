import type { RoutesAnswer } from "@fairlead/domain/routing";
import { expect, it } from "vitest";
import { checkAnswer } from "./check-answer.ts";

const route: RoutesAnswer["routes"][number] = {
  prefix: "192.0.2.7/32",
  nextHop: "10.9.0.1",
  from: "10.9.0.11",
  preference: 100,
  med: 0,
  asPath: [],
  communities: ["65021:100"],
  isBest: true,
  refused: "",
  since: null,
};
const answer = (routes: RoutesAnswer["routes"], more: Partial<RoutesAnswer> = {}): RoutesAnswer => ({
  problem: "",
  next: "",
  known: 1,
  kernelRoutes: [],
  ...more,
  routes,
});

it("keeps a valid answer as it is", () => expect(checkAnswer(answer([route]), { routes: 1 })).toEqual(answer([route])));

it("leaves out invalid routes, and shortens long texts", () => {
  const wrong = [
    { ...route, prefix: "192.0.2.7" },
    { ...route, nextHop: "there" },
    { ...route, from: "\0", communities: ["x".repeat(100)] },
  ];
  const checked = checkAnswer(answer(wrong, { next: "y".repeat(300), known: -1 }), { routes: 3 });
  expect(checked).toEqual(
    answer([{ ...route, from: "", communities: ["x".repeat(64)] }], { next: "y".repeat(200), known: 0 }),
  );
});

it("checks kernel routes as well", () => {
  const hop = { address: "10.9.0.1", weight: 1 };
  const right = { prefix: "192.0.2.7/32", nextHops: [hop] };
  const kernelRoutes = [
    { ...right, nextHops: [hop, { ...hop, address: "there" }] },
    { ...right, prefix: "192.0.2.7" },
  ];
  expect(checkAnswer(answer([], { kernelRoutes }), { routes: 2 })).toEqual(answer([], { kernelRoutes: [right] }));
  expect(() => checkAnswer(answer([route], { kernelRoutes }), { routes: 2 })).toThrow(/this one contains 3/);
});

it("refuses too many routes", () =>
  expect(() => checkAnswer(answer([route, route]), { routes: 1 })).toThrow(/this one contains 2/));
