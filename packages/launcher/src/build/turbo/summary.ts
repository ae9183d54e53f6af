import { readFileSync, rmSync } from "node:fs";
import path from "node:path";

export type TurboTask = {
  /** The task as in turbo.json: //#lint for a script of the root, @fairlead/web#build for one of a package. */
  id: string;
  hash: string;
  isCached: boolean;
  /** Null if it was not started. */
  exitCode: number | null;
  ms: number;
  /** The task's output, also from an earlier run. */
  log: string;
};

type Summary = {
  tasks: {
    taskId: string;
    hash: string;
    command: string;
    logFile: string;
    cache: { status: string };
    execution?: { startTime: number; endTime: number; exitCode: number | null };
  }[];
};

/**
 * readTurboSummary reads the summary that a run with --summarize wrote, whose path is in its output, and removes it:
 * turbo keeps them forever. It returns nothing if the run ended before its tasks began.
 */
export function readTurboSummary(root: string, output: string): TurboTask[] {
  const file = /^Summary:\s+(\S.*\.json)\s*$/m.exec(output)?.[1];
  if (!file) return [];
  const { tasks } = JSON.parse(readFileSync(file, "utf8")) as Summary;
  rmSync(file, { force: true });
  return tasks.filter(hasCommand).map((task) => ({
    id: task.taskId,
    hash: task.hash,
    isCached: task.cache.status === "HIT",
    exitCode: task.execution?.exitCode ?? null,
    ms: task.execution ? task.execution.endTime - task.execution.startTime : 0,
    log: readLog(path.join(root, task.logFile)),
  }));
}

/** Packages without the script are in the graph too. */
function hasCommand(task: { command: string }): boolean {
  return task.command !== "<NONEXISTENT>";
}

function readLog(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

export type TurboPlan = { hash: string; isCached: boolean };

/** readTurboPlan reads the output of a run with --dry=json: one task's hash, and whether the cache has its result. */
export function readTurboPlan(output: string, task: string): TurboPlan | null {
  const found = (JSON.parse(output) as Summary).tasks.find(({ taskId }) => taskId === task);
  return found ? { hash: found.hash, isCached: found.cache.status === "HIT" } : null;
}
