import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 16_000_000,
})
  .split("\n")
  .filter((file) => file && existsSync(path.join(root, file)));
const sources = tracked.filter(
  (file) =>
    /\.(ts|tsx)$/.test(file) &&
    !file.includes("generated") &&
    !/\.(test|spec)\.tsx?$/.test(file) &&
    !/\/(testing|e2e)\//.test(file),
);

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

describe("the house rules", () => {
  it("the environment is read in one file per app", () => {
    const readers = sources.filter(
      (file) => /^(apps|packages)\//.test(file) && /process\.env\b(?!\.NEXT_RUNTIME)/.test(read(file)),
    );
    const perApp = Map.groupBy(readers, (file) => file.split("/").slice(0, 2).join("/"));
    const crowded = [...perApp].filter(([app, files]) => app !== "packages/launcher" && files.length > 1);
    expect(crowded).toEqual([]);
  });

  it("raw SQL is only in files named for their query", () => {
    const raw = /\$(queryRaw|executeRaw)/;
    const wrong = sources.filter(
      (file) => /^(apps|packages)\//.test(file) && !file.endsWith(".sql.ts") && raw.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });

  it("numbers have one format, that of the shared functions", () => {
    const own = /\.toLocaleString\(|new Intl\.NumberFormat\(/;
    const wrong = sources.filter((file) => /^(apps|packages)\//.test(file) && own.test(read(file)));
    expect(wrong).toEqual(["packages/domain/src/numbers.ts"]);
  });

  it("the lock file names no registry, so that each machine uses its own", () => {
    expect(read("package-lock.json")).not.toMatch(/"resolved": "https?:/);
  });

  it("the lock file contains every platform's packages, because npm ci needs them", () => {
    type Locked = { packages: Record<string, { optionalDependencies?: Record<string, string> }> };
    const { packages } = JSON.parse(read("package-lock.json")) as Locked;
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`])
        .map((name) => `${name}, of ${place}`),
    );
    expect(missing).toEqual([]);
  });
});
