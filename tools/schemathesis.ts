import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs, promisify } from "node:util";

// Lets schemathesis loose on the REST API, with and without a key: no answer may be a 5xx, or one that the OpenAPI
// document does not describe. `node tools/schemathesis.ts` serves the API alone for that; --url and --key point it
// at a running product instead, one that may be filled with rubbish.
const version = "4.32.5";
const root = path.resolve(import.meta.dirname, "..");
const cache = process.env.FAIRLEAD_CACHE ?? path.join(os.homedir(), ".cache/fairlead");
const home = path.join(cache, `schemathesis-${version}`);
const program = path.join(home, "bin/schemathesis");
const config = path.join(import.meta.dirname, "schemathesis.toml");
const run = promisify(execFile);

type Target = { url: string; key: string; stop: () => void };
type Outcome = { passed: number; failed: number };

const { values } = parseArgs({
  options: { url: { type: "string" }, key: { type: "string" }, seconds: { type: "string", default: "110" } },
});

// Left out everywhere: rules that a JSON schema can't say ("to is later than from") make right data refused.
const checks = ["--checks", "all", "--exclude-checks", "positive_data_acceptance"];
// Endless streams have no answer to check, and nobody may be called whose address was made up.
const endless = ["--exclude-path", "/changes", "--exclude-path", "/exposures/{id}/mappings/stream"];
const calls = ["--exclude-operation-id", "identityProvider.create"];
// It would find the key that it works with, and be nobody from then on.
const revokesItself = "apiKey.revoke";

const target = values.url && values.key ? { url: values.url, key: values.key, stop() {} } : null;
await install();
process.exitCode = await main(target ?? (await serve()));

async function main({ url, key, stop }: Target): Promise<number> {
  const seconds = Number(values.seconds);
  const asKey = ["--header", `Authorization: Bearer ${key}`];
  const passes: [string, string[], number][] = [
    ["without a key", ["--phases", "examples,coverage,fuzzing"], 0.2],
    ["with a key", [...asKey, ...endless, ...calls, "--exclude-operation-id", revokesItself], 0.7],
    [
      "with a key that it may revoke",
      [...asKey, "--include-operation-id", revokesItself, "--phases", "coverage,fuzzing"],
      0.1,
    ],
  ];
  const total: Outcome = { passed: 0, failed: 0 };
  try {
    for (const [name, options, share] of passes) {
      const outcome = await pass(url, options, Math.max(5, Math.round(seconds * share)));
      console.log(`${outcome.failed === 0 ? "✓" : "✗"} ${name}: ${outcome.passed} cases passed`);
      total.passed += outcome.passed;
      total.failed += outcome.failed;
    }
  } finally {
    stop();
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

async function pass(url: string, options: string[], seconds: number): Promise<Outcome> {
  const base = `${url}/api/v1`;
  // One worker: up to Python 3.12 its parser counts its depth for all threads together, and two that parse at once
  // end in "AST constructor recursion depth mismatch" (python/cpython#106905).
  const fixed = ["--url", base, "--workers", "1", "--max-time", String(seconds), "--max-examples", "15", "--no-color"];
  const args = ["--config-file", config, "run", `${base}/openapi.json`, ...fixed, ...checks, ...options];
  const { stdout, code } = await run(program, args, { cwd: os.tmpdir(), maxBuffer: 64_000_000 }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout?: string; code?: number; message: string }) => ({
      stdout: error.stdout ?? error.message,
      code: 1,
    }),
  );
  const passed = Number(/\d+ generated, (\d+) passed/.exec(stdout)?.[1] ?? 0);
  if (code === 0 && passed > 0) return { passed, failed: 0 };
  console.log(stdout);
  return { passed, failed: Math.max(1, Number(/found (\d+) unique failures/.exec(stdout)?.[1] ?? 1)) };
}

/** install puts schemathesis into a folder of its own, once. */
async function install(): Promise<void> {
  if (existsSync(program)) return;
  console.log(`Installing schemathesis ${version} into ${home}`);
  mkdirSync(cache, { recursive: true });
  try {
    await run("python3", ["-m", "venv", home]);
    await run(path.join(home, "bin/pip"), ["install", "--quiet", `schemathesis==${version}`]);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    const why = error instanceof Error ? error.message.split("\n").slice(0, 3).join(" ") : String(error);
    console.error(`schemathesis needs python3 (3.10 or later) with venv, and PyPI: ${why}`);
    process.exit(1);
  }
}

/** serve starts the REST API alone, over a PostgreSQL of its own. It ends with its standard input. */
async function serve(): Promise<Target> {
  const child = spawn(process.execPath, ["packages/api/src/testing/serve-api.ts"], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, key } = JSON.parse(line) as { url: string; key: string };
    return { url, key, stop: () => child.stdin.end() };
  }
  throw new Error("The API did not start.");
}
