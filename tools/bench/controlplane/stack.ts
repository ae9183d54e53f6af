import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { permissions } from "@fairlead/domain/access";

export type Stack = {
  url: string;
  gatewayUrl: string;
  dataFolder: string;
  cookie: string;
  key: string;
  pids: Record<string, number>;
  stop: () => Promise<void>;
};

const owner = { email: "bench@example.test", password: "bench-Password-1" };

/** startStack runs the product as `npm start` does, with its own data folder, and signs in. */
export async function startStack(
  root: string,
  ports: { web: number; gateway: number },
  variables: { readonly [name: string]: string } = {},
): Promise<Stack> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-bench-"));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user if this process is root
  const dataFolder = path.join(folder, "data");
  const env = {
    ...process.env,
    ...variables,
    FAIRLEAD_DATA: dataFolder,
    PORT: String(ports.web),
    FAIRLEAD_GATEWAY_PORT: String(ports.gateway),
    FAIRLEAD_ADMIN_EMAIL: owner.email,
    FAIRLEAD_ADMIN_PASSWORD: owner.password,
    DATABASE_URL: "",
    FAIRLEAD_LAB: "off",
  };
  const launcher = spawn(process.execPath, [path.join(root, "packages/launcher/src/start.ts")], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    await end(launcher);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitForLine(launcher, "Fairlead is ready");
    const url = `http://127.0.0.1:${ports.web}`;
    const cookie = await signIn(url);
    const key = await makeKey(url, cookie);
    const { children } = JSON.parse(readFileSync(path.join(dataFolder, "instance.json"), "utf8")) as {
      children: { name: string; process: { pid: number } }[];
    };
    const pids = Object.fromEntries(children.map((child) => [child.name, child.process.pid]));
    return { url, gatewayUrl: `https://127.0.0.1:${ports.gateway}`, dataFolder, cookie, key, pids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** seed fills the organisation with the large fleet. */
export function seed(
  root: string,
  stack: Stack,
  sizes: { clusters: number; loadBalancers: number; agents: number },
): void {
  const args = ["--clusters", sizes.clusters, "--load-balancers", sizes.loadBalancers, "--agents", sizes.agents].map(
    String,
  );
  execFileSync(process.execPath, [path.join(root, "tools/seed/main.ts"), ...args], {
    cwd: root,
    env: { ...process.env, FAIRLEAD_DATA: stack.dataFolder, DATABASE_URL: "" },
    stdio: "inherit",
  });
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(owner),
  });
  if (!response.ok) throw new Error(`sign-in returned ${response.status}: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

async function makeKey(url: string, cookie: string): Promise<string> {
  const body = { name: "bench", role: "owner", scopes: permissions, requestsPerMinute: 60_000 };
  const response = await fetch(`${url}/api/v1/api-keys`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, cookie },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`creating a key returned ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { key: string }).key;
}

function waitForLine(child: ChildProcess, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(line)) resolve();
    });
    child.once("close", () => reject(new Error(`the product did not start:\n${output}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await ended;
}
