import path from "node:path";
import { readVitest } from "../reports/vitest.ts";
import type { Command, Reads } from "../suite.ts";

/** Which files belong to a project of vitest.config.ts, by the ending of their names. */
export const projects = {
  patient: "patient",
  db: "db",
  cloud: "cloud",
  redis: "redis",
  timed: "timed",
  kube: "kube",
  "kube-cloud": "kube-cloud",
  kubelet: "kubelet",
  system: "system",
} as const;

export type Project = keyof typeof projects;

/** vitest returns how to run projects of vitest in one process, and which test files they hold. */
export function vitest(root: string, ...names: Project[]): { command: Command; reads: Reads } {
  const only = (files: readonly string[]): Command => {
    const report = path.join(root, ".test/reports", `${names.join("-")}.json`);
    return {
      program: "vitest",
      args: [
        "run",
        ...names.flatMap((name) => ["--project", name]),
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
        ...files,
      ],
      count: readVitest(report, root),
    };
  };
  const entries = names.flatMap((name) => [`**/*.${projects[name]}.test.ts`, `**/*.${projects[name]}.test.tsx`]);
  return { command: only([]), reads: { entries, only } };
}
