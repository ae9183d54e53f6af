import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../process/process-identity.ts";
import { root } from "../settings.ts";
import type { Child } from "../start/instance.ts";

/** scratchFolder is accessible to other users, because PostgreSQL runs as one of them if this process is root. */
export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-system-"));
  chmodSync(folder, 0o755);
  return folder;
}

/** Product is one run of `npm start`'s script, with its output. */
export class Product {
  readonly dataFolder: string;
  readonly url: string;
  readonly launcher: ChildProcess;
  readonly ended: Promise<number>;
  output = "";

  /** `by` is a command that runs the launcher, if given. */
  constructor(dataFolder: string, port: number, env: Record<string, string | undefined> = {}, by: string[] = []) {
    this.dataFolder = dataFolder;
    this.url = `http://127.0.0.1:${port}`;
    const given = {
      ...process.env,
      FAIRLEAD_DATA: dataFolder,
      PORT: String(port),
      DATABASE_URL: undefined,
      FAIRLEAD_ADMIN_EMAIL: "owner@example.test",
      FAIRLEAD_ADMIN_PASSWORD: "correct-Horse-7",
      FAIRLEAD_LAB: "off",
      ...env,
    };
    const [command = process.execPath, ...args] = [...by, process.execPath];
    this.launcher = spawn(command, [...args, path.join(root, "packages/launcher/start.mjs")], {
      cwd: root,
      env: given as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.launcher.stdout, this.launcher.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
    this.ended = new Promise((resolve) => this.launcher.once("close", (code) => resolve(code ?? 1)));
  }

  /** ready waits until the product reports that it is ready, and returns the milliseconds. */
  async ready(): Promise<number> {
    const began = Date.now();
    await until(() => this.output.includes("Fairlead is ready") || this.launcher.exitCode !== null, 240_000);
    if (!this.output.includes("Fairlead is ready")) throw new Error(`it did not start:\n${this.output}`);
    return Date.now() - began;
  }

  children(): Child[] {
    return (JSON.parse(readFileSync(path.join(this.dataFolder, "instance.json"), "utf8")) as { children: Child[] })
      .children;
  }

  child(name: string): Child {
    const found = this.children().find((child) => child.name === name);
    if (!found) throw new Error(`no ${name} runs`);
    return found;
  }

  /** kill kills both processes of the launcher with SIGKILL. */
  kill(): void {
    const file = path.join(this.dataFolder, "instance.json");
    const record = JSON.parse(readFileSync(file, "utf8")) as { launcher: { pid: number } };
    process.kill(record.launcher.pid, "SIGKILL");
    this.launcher.kill("SIGKILL");
  }

  async stop(): Promise<void> {
    this.launcher.kill("SIGINT");
    await this.ended;
  }
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export function living(children: Child[]): string[] {
  return children.filter((child) => isAlive(child.process)).map((child) => child.name);
}

export async function until(holds: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`the condition was not met within ${timeoutMs} ms`);
    await sleep(50);
  }
}
