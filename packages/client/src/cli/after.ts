import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { asMapError } from "../errors.ts";
import type { AnnounceArguments } from "./arguments.ts";
import { Exit } from "./exit.ts";

const timeoutMs = 60_000;

/** runAfter notifies the server of the new file with a command, a signal, or both. No shell is involved. */
export async function runAfter(
  { command, signal, pidFile }: AnnounceArguments["after"],
  isFirst: boolean,
): Promise<void> {
  if (command.length > 0) await runCommand(command);
  // At the first write the server doesn't run yet.
  if (signal && pidFile && !isFirst) await sendSignal(signal, pidFile);
}

function runCommand([program = "", ...args]: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"], shell: false });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(new Exit("afterFailed", `${program} failed to start: ${error.message}.`));
    });
    child.once("exit", (code, killedBy) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Exit("afterFailed", `${program} exited with ${code ?? killedBy}.`));
    });
  });
}

async function sendSignal(signal: NodeJS.Signals, pidFile: string): Promise<void> {
  try {
    const text = (await readFile(pidFile, "utf8")).trim();
    const pid = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    // 0 would be this process group; 1 may be the container's init process.
    if (pid < 1) throw new Error(`${pidFile} doesn't contain a process ID`);
    process.kill(pid, signal);
  } catch (error) {
    throw new Exit("afterFailed", `${signal} was not sent: ${asMapError(error).message}.`);
  }
}
