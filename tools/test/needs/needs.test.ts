import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Machine, meetNeeds, type Need } from "./needs.ts";

let there: Set<string>;
let printed: string[];
beforeEach(() => {
  there = new Set(["go"]);
  printed = [];
  vi.spyOn(console, "log").mockImplementation((text: unknown) => void printed.push(String(text)));
});
afterEach(() => vi.restoreAllMocks());

function need(name: string, more: Partial<Need> = {}): Need {
  return { name, for: "a test", isMet: () => there.has(name), packages: [name], cure: `get ${name}`, ...more };
}

/** machine is a fake that can install these packages, if permitted. */
function machine(packages: string[], canInstall = true): Machine & { installs: string[][] } {
  const installs: string[][] = [];
  return {
    installs,
    canInstall,
    async install(wanted) {
      installs.push(wanted);
      for (const each of wanted) if (packages.includes(each)) there.add(each);
    },
  };
}

describe("the requirements of npm test", () => {
  it("are installed only if missing", async () => {
    const debian = machine(["venv", "gcc"]);
    await meetNeeds([need("go"), need("venv"), need("gcc")], debian);
    expect(debian.installs).toEqual([["venv", "gcc"]]);
    await meetNeeds([need("go"), need("venv"), need("gcc")], debian);
    expect(debian.installs).toHaveLength(1);
  });

  it("install themselves if they aren't packages of the system, and a failure is reported", async () => {
    const failures = vi.spyOn(console, "error").mockImplementation(() => {});
    const installed = need("envoy", { packages: [], install: async () => there.add("envoy") });
    await meetNeeds([installed], machine([], false));
    expect(there.has("envoy")).toBe(true);
    const failing = need("moto", { packages: [], install: () => Promise.reject(new Error("no network")) });
    await expect(meetNeeds([failing], machine([]))).rejects.toThrow("npm test needs moto for a test (get moto)");
    expect(failures).toHaveBeenCalledExactlyOnceWith("• Can't install moto: Error: no network");
  });

  it("are reported in one message with the fix if they can't be installed, before anything runs", async () => {
    const refused = meetNeeds([need("go"), need("venv"), need("gcc")], machine(["venv", "gcc"], false));
    await expect(refused).rejects.toThrow(
      "npm test needs venv for a test (get venv), gcc for a test (get gcc). Install it",
    );
    await expect(meetNeeds([need("go", { packages: [] })], machine([]))).resolves.toBeUndefined();
    there.clear();
    await expect(meetNeeds([need("go", { packages: [] })], machine([]))).rejects.toThrow("get go");
  });

  it("don't block the run if only some tests use them", async () => {
    await meetNeeds([need("haproxy", { isForSome: true }), need("go")], machine([]));
    expect(printed).toEqual(["• Missing haproxy: tests that need it will fail or be skipped"]);
  });
});
