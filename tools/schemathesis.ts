import { execFile } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { installPythonTool } from "./python-tool.ts";
import { startTestProduct, type TestProduct } from "./test-product.ts";

// Fuzzes the REST API with schemathesis, with and without a key: no response may be a 5xx, or one that the OpenAPI
// document doesn't describe, and afterwards the whole product must work as before. `node tools/schemathesis.ts` starts
// a product for that; --url and --key name one that runs already and may be filled with invalid data. The input is
// the same in every run, so a failure comes from the change under test; --seed and --seconds explore more. --valid
// checks instead that valid input is accepted: about five thousand requests, some with ids from earlier answers. No two
// of these runs are the same, so they are not part of the tests.
const version = "4.32.5";
const root = path.resolve(import.meta.dirname, "..");
const config = path.join(import.meta.dirname, "schemathesis.toml");
/** Makes generated input obey the rules that a JSON schema can't express ("to is later than from"). */
const hooks = path.join(import.meta.dirname, "schemathesis-hooks.py");
const run = promisify(execFile);

type Target = { url: string; key: string } & Partial<TestProduct>;
type Pass = { name: string; options: string[]; seconds: number | null; isOfValid?: boolean };
type Outcome = {
  passed: number;
  failed: number;
  /** What it found first. */
  findings: string[];
};

const findingLines = 20;

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    key: { type: "string" },
    seconds: { type: "string", default: "110" },
    seed: { type: "string", default: "1" },
    valid: { type: "boolean", default: false },
  },
});

/** How often each expected refusal of valid input occurred, by the rule that expects it. */
const refusalLine = /^expected refusals: .*$/m;

const env = { ...process.env, ...(values.valid ? { SCHEMATHESIS_HOOKS: hooks } : {}) };
// Endless streams have no complete response to check, and generated addresses must not be called.
const endless = [
  "--exclude-path",
  "/changes",
  "--exclude-path",
  "/exposures/{id}/mappings/stream",
  "--exclude-path",
  "/choose/stream",
];
const calls = ["--exclude-operation-id", "identityProvider.create"];
// It could revoke the key that it uses, and lose access.
const revokesItself = "apiKey.revoke";

const named = values.url && values.key ? { url: values.url, key: values.key } : null;
const program = path.join(await installPythonTool("schemathesis", version), "schemathesis");
process.exitCode = await main(named ?? (await startTarget()));

async function startTarget(): Promise<Target> {
  const product = await startTestProduct(root);
  return { ...product, key: (await product.createFleet()).key };
}

async function main({ url, key, problems, logs, stop }: Target): Promise<number> {
  const seconds = Number(values.seconds);
  const asKey = ["--header", `Authorization: Bearer ${key}`];
  const asUser = [...asKey, ...endless, ...calls];
  const all = ["--checks", "all", "--exclude-checks", "positive_data_acceptance"];
  const passes: Pass[] = [
    { name: "without a key", seconds: seconds * 0.2, options: [...all, "--phases", "examples,coverage,fuzzing"] },
    {
      name: "with a key",
      seconds: seconds * 0.7,
      options: [...all, ...asUser, "--exclude-operation-id", revokesItself],
    },
    {
      name: "with a key that it may revoke",
      seconds: seconds * 0.1,
      options: [...all, ...asKey, "--include-operation-id", revokesItself, "--phases", "coverage,fuzzing"],
    },
    {
      name: "with valid input",
      isOfValid: true,
      seconds: null,
      options: ["--checks", "positive_data_acceptance,not_a_server_error", "--mode", "positive", ...asUser].concat(
        "--exclude-operation-id",
        revokesItself,
        "--phases",
        "examples,coverage,fuzzing",
      ),
    },
  ];
  const total: Outcome = { passed: 0, failed: 0, findings: [] };
  try {
    for (const pass of passes.filter(({ isOfValid = false }) => isOfValid === values.valid)) {
      const outcome = await runPass(url, pass);
      console.log(`${outcome.failed === 0 ? "✓" : "✗"} ${pass.name}: ${outcome.passed} cases passed`);
      total.passed += outcome.passed;
      total.failed += outcome.failed;
      total.findings.push(...outcome.findings);
    }
    if (problems) {
      const broken = await problems();
      if (broken.length > 0) {
        total.failed += 1;
        total.findings.push(`✗ afterwards: ${broken.join(", ")}`);
      } else console.log("✓ afterwards the product works as before");
    }
    // Last, because a shortened output keeps its end.
    if (total.failed > 0) console.log([logs?.(), ...total.findings].join("\n"));
  } finally {
    await stop?.();
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

async function runPass(url: string, { options, seconds }: Pass): Promise<Outcome> {
  const base = `${url}/api/v1`;
  // One worker: up to Python 3.12 its parser counts its depth for all threads together, and two that parse at once
  // end in "AST constructor recursion depth mismatch" (python/cpython#106905).
  const fixed = ["--url", base, "--workers", "1", "--max-examples", "15", "--seed", values.seed, "--no-color"];
  // The timeout ends a request that hangs. It is long because a busy machine may be several times slower than an idle one.
  const limits = ["--request-timeout", "60"];
  if (seconds !== null) limits.push("--max-time", String(Math.max(5, Math.round(seconds))));
  const args = ["--config-file", config, "run", `${base}/openapi.json`, ...fixed, ...limits, ...options];
  const { stdout, code } = await run(program, args, { cwd: os.tmpdir(), env, maxBuffer: 64_000_000 }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout?: string; code?: number; message: string }) => ({
      stdout: error.stdout ?? error.message,
      code: 1,
    }),
  );
  const passed = Number(/\d+ generated, (\d+) passed/.exec(stdout)?.[1] ?? 0);
  const [refusals] = refusalLine.exec(stdout) ?? [];
  if (refusals) console.log(refusals);
  if (code === 0 && passed > 0) return { passed, failed: 0, findings: [] };
  console.log(stdout);
  const failed = Math.max(1, Number(/found (\d+) unique failures/.exec(stdout)?.[1] ?? 1));
  const [, found = stdout] = stdout.split(/^=+ (?:FAILURES|ERRORS) =+$/m);
  const lines = found.split("\n").filter((line) => line.trim());
  return { passed, failed, findings: lines.slice(0, findingLines) };
}
