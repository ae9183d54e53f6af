import path from "node:path";
import type { Need } from "../needs/needs.ts";
import { go } from "../needs/suite-needs.ts";
import { readVitest } from "../reports/vitest.ts";
import type { Command, Suite } from "../suite.ts";

/** Printed by tools/test/turbo-task.ts for a task whose result came from turbo's cache. */
export const cachedMark = "(from the cache)";

/** The builds that every suite needs that starts the product. */
export const productBuilds = ["build of the dashboard", "build of the agent"];

/**
 * listTurboSuites returns the tasks of turbo.json: with the same inputs, their results come from the cache. When forced, only
 * builds use the cache.
 */
export function listTurboSuites(root: string, isForced: boolean): Suite[] {
  const check = (id: string) => commandOf(id, ...(isForced ? ["--force"] : []));
  const unit = path.join(root, ".test/turbo/unit.json");
  return [
    task("build of the agent", commandOf("agent"), [go]),
    task("build of the dashboard", commandOf("dashboard")),
    task("build of the client", commandOf("@fairlead/client#build")),
    task("format and lint", check("//#lint")),
    task("types", check("//#types")),
    task("gofmt and go vet", check("@fairlead/agents#vet"), [go]),
    task("unit tests", { ...check("//#unit"), count: readVitest(unit, root) }),
  ];
}

function task(name: string, command: Command, needs: readonly Need[] = []): Suite {
  return { name, load: "computes", command, needs, cached: (output) => output.includes(cachedMark), reads: {} };
}

function commandOf(id: string, ...more: string[]): Command {
  return { program: "node", args: ["tools/test/turbo-task.ts", id, ...more] };
}
