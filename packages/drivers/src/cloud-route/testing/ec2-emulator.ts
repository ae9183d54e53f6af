import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const version = "5.2.5";
const cache = process.env.FAIRLEAD_CACHE ?? path.join(os.homedir(), ".cache/fairlead");
const home = path.join(cache, `moto-${version}`);
const program = path.join(import.meta.dirname, "ec2_emulator.py");
const startsWithinMs = 90_000;
const run = promisify(execFile);

export type Emulator = { url: string; stop: () => Promise<void> };

/** startEc2Emulator serves EC2's API on this machine with moto, by default on a free port. It forwards no packets. */
export async function startEc2Emulator(at: number | null = null): Promise<Emulator> {
  await install();
  const port = at ?? (await freePort());
  const child = spawn(path.join(home, "bin/python3"), [program, String(port)], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = `${output}${String(chunk)}`.slice(-2_000);
    });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await answers(url, child, () => output);
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function answers(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + startsWithinMs;
  for (;;) {
    const answer = await fetch(`${url}/moto-api/data.json`).catch(() => null);
    if (answer?.ok) return;
    if (child.exitCode === null && Date.now() < deadline) await sleep(50);
    else {
      child.kill("SIGKILL");
      throw new Error(`the emulator of EC2 did not start:\n${output()}`);
    }
  }
}

/** install installs moto into its own folder, once. */
async function install(): Promise<void> {
  if (existsSync(home)) return;
  mkdirSync(cache, { recursive: true });
  // Under another name until it is complete. Its python works after a rename, and its scripts, which don't, are not used.
  const begun = `${home}.${process.pid}`;
  try {
    await run("python3", ["-m", "venv", begun]);
    await run(path.join(begun, "bin/python3"), ["-m", "pip", "install", "--quiet", `moto[ec2,server]==${version}`]);
    renameSync(begun, home);
  } catch (error) {
    rmSync(begun, { recursive: true, force: true });
    // Another process was faster.
    if (existsSync(home)) return;
    const why = error instanceof Error ? error.message.split("\n").slice(0, 3).join(" ") : String(error);
    throw new Error(`the emulator of EC2 needs python3 (3.10 or later) with venv, and PyPI: ${why}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || !address) throw new Error("no free port");
  return address.port;
}
