import { describe, expect, it } from "vitest";
import type { Suite } from "../suite.ts";
import type { GoPackage } from "./go-packages.ts";
import { narrow } from "./narrow.ts";
import type { Repository } from "./repository.ts";

const texts: Record<string, string> = {
  "packages/domain/package.json":
    '{"name":"@fairlead/domain","exports":{".":"./src/index.ts","./seed":"./src/seed/read.ts"}}',
  "packages/domain/src/index.ts": 'export { price } from "./price.ts";',
  "packages/domain/src/price.ts": "export const price = 1;",
  "packages/domain/src/seed/read.ts": "export const read = () => {};",
  "packages/domain/src/seed/prices.csv": "day,price",
  "packages/services/src/cost.db.test.ts": 'import { price } from "@fairlead/domain";',
  "packages/services/src/seed.db.test.ts": 'import { read } from "@fairlead/domain/seed";',
  "packages/launcher/src/start.ts": 'const controller = path.join(root, "apps/controller/src/main.ts");',
  "packages/launcher/src/agent.ts": 'const program = path.join(root, "agents/bin/fairlead-agent");',
  "packages/launcher/src/start.system.test.ts": 'import "./start.ts";\nimport "./agent.ts";',
  "apps/controller/src/main.ts": "export {};",
  "apps/web/src/page.tsx": 'import { price } from "@/price";',
  "apps/web/src/price.ts": "export const price = 1;",
  "apps/web/src/page.db.test.tsx": 'import { Page } from "./page.tsx";',
  "agents/cmd/fairlead-agent/main.go": "package main",
  "agents/internal/bgp/bgp.go": "package bgp",
  "agents/internal/bgp/bgp_test.go": "package bgp",
  "docs/guide.md": "# Guide",
};

const repository: Repository = { files: Object.keys(texts), read: (file) => texts[file] ?? "" };
const packages: GoPackage[] = [
  { folder: "agents/cmd/fairlead-agent", importPath: "a/cmd", deps: ["a/bgp"] },
  { folder: "agents/internal/bgp", importPath: "a/bgp", deps: [] },
  { folder: "agents/internal/balancer", importPath: "a/balancer", deps: [] },
];

const command = (name: string) => (affected: readonly string[]) => ({ program: name, args: affected });
const suites: Suite[] = [
  { name: "lint", load: "computes", command: command("lint")([]), reads: {} },
  {
    name: "db",
    load: "computes",
    command: command("db")([]),
    reads: { entries: ["**/*.db.test.ts", "**/*.db.test.tsx"], only: command("db") },
  },
  { name: "system", load: "computes", command: command("system")([]), reads: { entries: ["**/*.system.test.ts"] } },
  { name: "go", load: "computes", command: command("go")([]), reads: { packages: ["./..."], only: command("go") } },
  {
    name: "balancer",
    load: "alone",
    command: command("balancer")([]),
    reads: { packages: ["./internal/balancer/..."], only: command("balancer") },
  },
];

function affectedBy(...changed: string[]) {
  const { run, skipped } = narrow(suites, { changed, repository, packages: () => packages });
  return { run: run.map(({ command: { program, args } }) => [program, ...args].join(" ")), skipped };
}

describe("the suites that a change can affect", () => {
  it("are the test files that import the changed one, in any package, and suites without a list of their inputs", () => {
    expect(affectedBy("packages/domain/src/price.ts")).toEqual({
      run: ["lint", "db packages/services/src/cost.db.test.ts"],
      skipped: ["system", "go", "balancer"],
    });
    expect(affectedBy("apps/web/src/price.ts").run).toEqual(["lint", "db apps/web/src/page.db.test.tsx"]);
  });

  it("include those that start a program by its path", () => {
    expect(affectedBy("apps/controller/src/main.ts").run).toEqual(["lint", "system"]);
  });

  it("include those that read data in the folder of what they import", () => {
    expect(affectedBy("packages/domain/src/seed/prices.csv").run).toEqual([
      "lint",
      "db packages/services/src/seed.db.test.ts",
    ]);
  });

  it("are the Go packages that import the changed one, and those that run the agent", () => {
    expect(affectedBy("agents/internal/bgp/bgp.go").run).toEqual([
      "lint",
      "system",
      "go ./cmd/fairlead-agent ./internal/bgp",
    ]);
  });

  it("don't include those that run the agent when only a Go test changed", () => {
    expect(affectedBy("agents/internal/bgp/bgp_test.go").run).toEqual([
      "lint",
      "go ./cmd/fairlead-agent ./internal/bgp",
    ]);
  });

  it("leave out every suite with a list when documents alone changed", () => {
    expect(affectedBy("docs/guide.md")).toEqual({ run: ["lint"], skipped: ["db", "system", "go", "balancer"] });
  });

  it("are all when the packages, their settings or the runner changed", () => {
    for (const file of ["package-lock.json", "vitest.config.ts", "tools/test/schedule.ts"])
      expect(affectedBy(file).skipped).toEqual([]);
    expect(affectedBy("agents/go.mod").run).toEqual([
      "lint",
      "system",
      "go ./cmd/fairlead-agent ./internal/bgp ./internal/balancer",
      "balancer ./internal/balancer",
    ]);
  });

  it("include those that named the folder of a deleted file", () => {
    expect(affectedBy("agents/internal/gone/gone.go").run).toEqual(["lint", "system"]);
  });
});
