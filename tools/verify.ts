import { spawn } from "node:child_process";
import path from "node:path";

// `npm run verify`: what can be trusted without a service, in under a minute. Steps run two at a time.
const root = path.resolve(import.meta.dirname, "..");
const bin = (name: string) => path.join(root, "node_modules/.bin", name);

type Step = { name: string; command: string; args: string[]; cwd?: string; optional?: boolean };

const steps: Step[] = [
  {
    name: "unit tests, import arrows, document references",
    command: bin("vitest"),
    args: ["run", "--project", "unit"],
  },
  { name: "format and lint", command: bin("biome"), args: ["ci", "--colors=off", "."] },
  { name: "types", command: bin("tsc"), args: ["--noEmit"] },
  { name: "types of the dashboard", command: bin("tsc"), args: ["--noEmit", "-p", "apps/web"] },
  { name: "go vet", command: "go", args: ["vet", "./..."], cwd: "agents", optional: true },
  {
    name: "gofmt",
    command: "sh",
    args: ["-c", 'test -z "$(gofmt -l .)" || { gofmt -l .; exit 1; }'],
    cwd: "agents",
    optional: true,
  },
];

const began = Date.now();
const queue = [...steps];
let failed = 0;
await Promise.all([worker(), worker()]);
console.log(`\n${steps.length - failed} passed, ${failed} failed (${seconds(began)} s)`);
process.exit(failed === 0 ? 0 : 1);

async function worker(): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) {
    const stepBegan = Date.now();
    const { code, output } = await run(step);
    const missing = step.optional && code === 127;
    if (code !== 0 && !missing) failed++;
    console.log(
      `${code === 0 ? "✓" : missing ? "–" : "✗"} ${step.name} (${seconds(stepBegan)} s)${missing ? ": Go is not installed" : ""}`,
    );
    if (code !== 0 && !missing) console.log(output.trimEnd());
  }
}

function run(step: Step): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, {
      cwd: path.join(root, step.cwd ?? "."),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.once("error", () => resolve({ code: 127, output: "" }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

function seconds(since: number): string {
  return ((Date.now() - since) / 1_000).toFixed(1);
}
