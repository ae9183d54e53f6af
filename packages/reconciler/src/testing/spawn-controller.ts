import { spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export type ChildOptions = {
  databaseUrl: string;
  worldUrl: string;
  name: string;
  /** Without it the controller gets no notifications: it has to poll. */
  listen?: boolean;
  concurrency?: number;
  leaseMs?: number;
  pollMs?: number;
  /** The step right after which the process kills itself, the time-th time it gets there. */
  killAt?: { step: string; objectId?: string; time?: number };
};

export type Child = {
  /** What ended it: a signal's name, or an exit code. */
  ended: Promise<string>;
  running: Promise<void>;
  kill: () => void;
  /** Stops it as an operator would, and waits. */
  stop: () => Promise<string>;
  /** Its log, for when a test fails. */
  logged: () => string;
};

const program = fileURLToPath(new URL("./controller.ts", import.meta.url));

/** spawnController runs a controller as a real process. */
export function spawnController(options: ChildOptions): Child {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "pipe"],
    // Compiling is most of a start; later processes reuse the cache.
    env: { ...process.env, NODE_COMPILE_CACHE: path.join(os.tmpdir(), "fairlead-test-compile-cache") },
  });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += String(chunk);
  });
  const ended = new Promise<string>((resolve) => child.once("exit", (code, signal) => resolve(signal ?? `${code}`)));
  const running = new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    void ended.then((how) => reject(new Error(`the controller ended (${how}) before it ran:\n${log}`)));
  });
  running.catch(() => {});
  return {
    ended,
    running,
    kill: () => child.kill("SIGKILL"),
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
    logged: () => log,
  };
}
