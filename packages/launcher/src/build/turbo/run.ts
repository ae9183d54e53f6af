import { spawn } from "node:child_process";
import { type TurboOptions, turboCommand } from "./command.ts";
import { readTurboPlan, readTurboSummary, type TurboPlan, type TurboTask } from "./summary.ts";

export type TurboRun = { code: number; output: string; tasks: TurboTask[] };
type RunOptions = TurboOptions & { signal?: AbortSignal };

/** Time for turbo to end its tasks after a stop signal. */
const graceMs = 5_000;

/** runTurbo runs tasks and returns the outcome of each. It ends them when the signal aborts; the code may still be 0. */
export async function runTurbo(root: string, tasks: string[], options: RunOptions = {}): Promise<TurboRun> {
  const { code, stdout, stderr } = await start(root, tasks, ["--summarize"], options);
  return { code, output: `${stdout}${stderr}`.trim(), tasks: readTurboSummary(root, stdout) };
}

/** planTurbo calculates the hash of a task without running it. On failure it throws turbo's output. */
export async function planTurbo(root: string, task: string, options: RunOptions = {}): Promise<TurboPlan> {
  const { code, stdout, stderr } = await start(root, [task], ["--dry=json"], options);
  const plan = code === 0 ? readTurboPlan(stdout, task) : null;
  if (!plan) throw new Error(`turbo could not plan ${task}: ${stderr.trim() || stdout.trim()}`);
  return plan;
}

function start(
  root: string,
  tasks: string[],
  more: string[],
  options: RunOptions,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const { command, args, env } = turboCommand(root, tasks, options);
    const child = spawn(command, [...args, ...more], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    let kill: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill("SIGTERM");
      kill = setTimeout(() => child.kill("SIGKILL"), graceMs);
    };
    if (options.signal?.aborted) end();
    options.signal?.addEventListener("abort", end, { once: true });
    child.once("error", (error) => {
      stderr += error.message;
    });
    child.once("close", (code) => {
      clearTimeout(kill);
      options.signal?.removeEventListener("abort", end);
      resolve({ code: code ?? 1, stdout, stderr });
    });
  });
}
