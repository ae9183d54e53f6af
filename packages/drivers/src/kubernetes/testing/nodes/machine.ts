import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import type { GuardedPrograms } from "../guarded-programs.ts";
import { until } from "../until.ts";

const run = promisify(execFile);
const begunWithinMs = 10_000;

/** Network is a network namespace, which exists as long as the process that holds it. */
export type Network = { pid: number };

/** startNetwork creates an empty network namespace. */
export async function startNetwork(programs: GuardedPrograms, name: string, pause: string): Promise<Network> {
  programs.start(name, "unshare", ["--net", pause]);
  const pid = programs.pid(name) ?? 0;
  await until(`the network ${name}`, async () => (await readlink(`/proc/${pid}/exe`)) === pause, begunWithinMs);
  return { pid };
}

/**
 * startMachine creates a network namespace with its own processes and mounts. All of them end with its first process, so
 * nothing has to be cleaned up.
 */
export async function startMachine(programs: GuardedPrograms, name: string, pause: string): Promise<Network> {
  const own = ["--net", "--mount", "--propagation=slave", "--pid", "--fork", "--kill-child", "--mount-proc"];
  programs.start(name, "unshare", [...own, pause]);
  const outer = programs.pid(name) ?? 0;
  let pid = 0;
  await until(
    `the machine ${name}`,
    async () => {
      pid = Number.parseInt(await readFile(`/proc/${outer}/task/${outer}/children`, "utf8"), 10);
      return (await readlink(`/proc/${pid}/exe`)) === pause;
    },
    begunWithinMs,
  );
  return { pid };
}

/** inNetwork returns a command that runs another one in a network. */
export function inNetwork({ pid }: Network, command: readonly string[]): string[] {
  return ["nsenter", `--net=/proc/${pid}/ns/net`, "--", ...command];
}

/** onMachine returns a command that runs another one on a machine. */
export function onMachine({ pid }: Network, command: readonly string[]): string[] {
  return ["nsenter", `--target=${pid}`, "--net", "--mount", "--pid", "--", ...command];
}

/** finish runs a command to its end, and returns its output. */
export async function finish([command = "", ...args]: readonly string[], input = ""): Promise<string> {
  const running = run(command, args, { maxBuffer: 16_000_000 });
  // If the command ended without reading its input, its exit status explains why.
  running.child.stdin?.on("error", () => {}).end(input);
  return (await running).stdout;
}
