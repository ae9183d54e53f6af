import { spawn } from "node:child_process";
import type { Program } from "../process/supervisor.ts";

const timeoutMs = 60_000;

/** runOnce runs a program to its end. It returns the last line of its error output on failure, else null. */
export function runOnce({ command, args, env, cwd }: Program, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, cwd, signal, timeout: timeoutMs, stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(code === 0 ? null : (output.trim().split("\n").at(-1) ?? "")));
  });
}
