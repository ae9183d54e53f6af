import path from "node:path";
import { describe, expect, it } from "vitest";
import { listGoPackages } from "./since/go-packages.ts";
import { narrow } from "./since/narrow.ts";
import { openRepository } from "./since/repository.ts";
import type { Command } from "./suite.ts";
import { listSuites } from "./suites.ts";

const root = path.resolve(import.meta.dirname, "../..");
const suites = listSuites(root);
const repository = openRepository(root);

/** affected names the suites that a change to one file of this repository can affect. */
function affected(file: string): string[] {
  return narrow(suites, { changed: [file], repository, packages: () => listGoPackages(root) }).run.map(
    ({ name }) => name,
  );
}

/** splitPattern splits at each | that is in no parentheses, as `go test` does. */
function splitPattern(pattern: string): string[] {
  return pattern.split(/\|(?![^(]*\))/);
}

/**
 * runsAll returns whether `-run` has a pattern among its own, or matches the whole name that the
 * pattern is.
 */
function runsAll(run: string, pattern: string): boolean {
  const name = pattern.match(/^\^(\w+)\$$/)?.[1];
  return run !== "" && (splitPattern(run).includes(pattern) || (name !== undefined && new RegExp(run).test(name)));
}

describe("the suites of npm test", () => {
  it("have unique names, and wait only for existing suites", () => {
    const names = suites.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(suites.flatMap(({ after = [] }) => after).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(["migrations", "views"])(
    "include those on PostgreSQL and in a browser when one of the %s changed",
    (folder) => {
      const [sql = ""] = repository.files.filter(
        (file) => file.startsWith(`prisma/${folder}/`) && file.endsWith(".sql"),
      );
      expect(affected(sql)).toEqual(
        expect.arrayContaining(["tests on PostgreSQL", "dashboard in a browser", "start, stop and crashes"]),
      );
    },
  );

  it("include those that run agents when an agent changed", () => {
    const found = affected("agents/internal/balancer/maglev/table.go");
    expect(found).toEqual(
      expect.arrayContaining([
        "Go tests with the race detector",
        "Go tests that measure time",
        "labs in a browser",
      ]),
    );
    expect(found).not.toContain("tests on an emulated cloud");
  });

  it("run each test that the race detector's suite skips in another suite of Go", () => {
    const argument = (flag: string, { command }: { command: Command }) =>
      command.args.find((each) => each.startsWith(`-${flag}=`))?.slice(flag.length + 2) ?? "";
    const others = suites.filter(({ command }) => command.program === "go").map((suite) => argument("run", suite));
    const race = suites.find(({ name }) => name === "Go tests with the race detector");
    const skipped = race ? splitPattern(argument("skip", race)) : [];
    expect(skipped).not.toEqual([]);
    expect(skipped.filter((pattern) => !others.some((run) => runsAll(run, pattern)))).toEqual([]);
  });

  it("are only the tasks with a cache when a guide changed", () => {
    expect(affected("docs/guides/lab.md")).toEqual(
      suites.filter(({ reads }) => !reads.entries && !reads.packages).map(({ name }) => name),
    );
  });
});
