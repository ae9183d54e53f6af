import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Machine, meetNeeds, type Need } from "./needs.ts";

let there: Set<string>;
let said: string[];
beforeEach(() => {
  there = new Set(["go"]);
  said = [];
  vi.spyOn(console, "log").mockImplementation((text: unknown) => void said.push(String(text)));
});
afterEach(() => vi.restoreAllMocks());

function need(name: string, more: Partial<Need> = {}): Need {
  return { name, for: "a test", isMet: () => there.has(name), packages: [name], cure: `get ${name}`, ...more };
}

/** machine has packages that it can install, unless it may not. */
function machine(packages: string[], canInstall = true): Machine & { asked: string[][] } {
  const asked: string[][] = [];
  return {
    asked,
    canInstall,
    async install(wanted) {
      asked.push(wanted);
      for (const each of wanted) if (packages.includes(each)) there.add(each);
    },
  };
}

describe("what npm test needs", () => {
  it("is installed where it is missing, and only that", async () => {
    const debian = machine(["venv", "gcc"]);
    await meetNeeds([need("go"), need("venv"), need("gcc")], debian);
    expect(debian.asked).toEqual([["venv", "gcc"]]);
    await meetNeeds([need("go"), need("venv"), need("gcc")], debian);
    expect(debian.asked).toHaveLength(1);
  });

  it("is refused in one sentence with the cure where it can't be installed, before anything runs", async () => {
    const refused = meetNeeds([need("go"), need("venv"), need("gcc")], machine(["venv", "gcc"], false));
    await expect(refused).rejects.toThrow(
      "npm test needs venv for a test (get venv), gcc for a test (get gcc): install it",
    );
    await expect(meetNeeds([need("go", { packages: [] })], machine([]))).resolves.toBeUndefined();
    there.clear();
    await expect(meetNeeds([need("go", { packages: [] })], machine([]))).rejects.toThrow("get go");
  });

  it("does not hold up the rest where only some tests use it", async () => {
    await meetNeeds([need("haproxy", { isForSome: true }), need("go")], machine([]));
    expect(said).toEqual(["• Without haproxy: tests that need them will fail"]);
  });
});
