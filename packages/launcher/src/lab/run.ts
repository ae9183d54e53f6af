import { spawn } from "node:child_process";
import type { Program } from "../process/supervisor.ts";

const timeoutMs = 60_000;
const mostOutput = 10_000;

/** What a program ended with. problem is the last line of its error output if it failed, else null. */
export type Ended = { output: string; problem: string | null };

/** runOnce runs a program to its end. */
export function runOnce({ command, args, env, cwd }: Program, signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, cwd, signal, timeout: timeoutMs, stdio: ["ignore", "pipe", "pipe"] });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-mostOutput);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-mostOutput);
    });
    child.once("error", (error) => resolve({ output, problem: error.message }));
    child.once("close", (code) =>
      resolve({ output, problem: code === 0 ? null : (errors.trim().split("\n").at(-1) ?? "") }),
    );
  });
}
