import { spawn } from "node:child_process";
import type { Program } from "../supervisor.ts";

const longestMs = 60_000;

/** runOnce runs a program to its end, and answers what it said last when that was not good; null when it was. */
export function runOnce({ command, args, env, cwd }: Program, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, cwd, signal, timeout: longestMs, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(code === 0 ? null : (said.trim().split("\n").at(-1) ?? "")));
  });
}
