import { spawn } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Refusal } from "./refusal.ts";

const sources = [
  "apps/web",
  "packages/api",
  "packages/db",
  "packages/domain",
  "packages/services",
  "package-lock.json",
];
const ignored = new Set(["node_modules", ".next", ".turbo", "dist", "e2e"]);

/** webIsBuilt says whether the production build stands for exactly the sources that lie here. */
export function webIsBuilt(root: string): boolean {
  const stamp = path.join(root, "apps/web/.next/fairlead-sources");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === digestSources(root);
}

export async function buildWeb(root: string): Promise<void> {
  const digest = digestSources(root);
  const folder = path.join(root, "apps/web");
  rmSync(path.join(folder, ".next/fairlead-sources"), { force: true });
  const { code, output } = await run(path.join(root, "node_modules/next/dist/bin/next"), ["build"], folder);
  if (code !== 0) throw new Refusal(`The dashboard could not be built:\n${output.split("\n").slice(-25).join("\n")}`);
  writeFileSync(path.join(folder, ".next/fairlead-sources"), digest);
}

export function digestSources(root: string): string {
  const hash = createHash("sha256");
  for (const source of sources) addToDigest(hash, root, source);
  return hash.digest("hex");
}

function addToDigest(hash: Hash, root: string, relative: string): void {
  const full = path.join(root, relative);
  if (statSync(full).isFile()) {
    if (!/(next-env\.d\.ts|\.tsbuildinfo|\.test\.tsx?)$/.test(relative))
      hash.update(relative).update(readFileSync(full));
    return;
  }
  for (const name of readdirSync(full).sort()) {
    if (!ignored.has(name)) addToDigest(hash, root, path.join(relative, name));
  }
}

function run(script: string, args: string[], cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, [script, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
