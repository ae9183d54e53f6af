import { setTimeout as after } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Company, runInCompany } from "./in-company.ts";

type Suite = Company & { name: string; ticks: number };

const suite = (name: string, ticks: number, company: Company = {}): Suite => ({ name, ticks, ...company });

/** play runs them, each for so many turns of the event loop, and answers who was there with whom. */
async function play(...all: Suite[]): Promise<string[]> {
  const there = new Set<string>();
  const seen: string[] = [];
  await runInCompany(all, async ({ name, ticks }) => {
    there.add(name);
    seen.push([...there].join(" and "));
    for (let i = 0; i < ticks; i++) await after(0);
    there.delete(name);
  });
  expect(there).toEqual(new Set());
  return seen;
}

it("runs one suite after the other", async () => {
  expect(await play(suite("a", 3), suite("b", 1), suite("c", 2))).toEqual(["a", "b", "c"]);
});

it("runs one that waits beside those that follow it, one after the other", async () => {
  const all = [suite("soak", 100, { waits: true }), suite("a", 2), suite("b", 2)];
  expect(await play(...all)).toEqual(["soak", "soak and a", "soak and b"]);
});

it("leaves one that keeps time alone, and a second that waits too", async () => {
  const all = [suite("soak", 50, { waits: true }), suite("clock", 2, { keepsTime: true }), suite("a", 1)];
  expect(await play(...all)).toEqual(["soak", "clock", "a"]);
  const two = [suite("soak", 50, { waits: true }), suite("nodes", 50, { waits: true }), suite("a", 1)];
  expect(await play(...two)).toEqual(["soak", "nodes", "nodes and a"]);
});

it("ends by what went wrong, also beside another", async () => {
  const all = [suite("soak", 0, { waits: true }), suite("a", 20)];
  const run = async ({ name, ticks }: Suite) => {
    for (let i = 0; i < ticks; i++) await after(0);
    if (name === "soak") throw new Error("soak broke");
  };
  await expect(runInCompany(all, run)).rejects.toThrow("soak broke");
});
