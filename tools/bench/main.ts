import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { busyBefore, readCommit, readEnvironment } from "./environment.ts";
import { explainLimits, failing, type Result } from "./result.ts";

// `npm run bench -- NAME [--quick] [--rounds N]`: runs one benchmark, prints a table and writes .bench/NAME.json.
// With `--loss PERCENT`, which churn alone knows, packets get lost; that is .bench/churn-loss.json.
export type Options = { quick: boolean; root: string; rounds?: number; loss?: number };
export type Benchmark = (options: Options) => Promise<{ results: Result[]; limits: string[] }>;

const root = path.resolve(import.meta.dirname, "../..");
const known = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(path.join(import.meta.dirname, entry.name, "run.ts")))
  .map((entry) => entry.name);
const { name, quick, rounds, loss } = readArguments() ?? {};
if (!name || quick === undefined) {
  console.error(
    `Usage: npm run bench -- NAME [--quick] [--rounds N], where NAME is one of: ${known.join(", ")}; churn knows --loss PERCENT`,
  );
  process.exit(2);
}

const at = new Date();
const environment = readEnvironment();
const { run } = (await import(`./${name}/run.ts`)) as { run: Benchmark };
const { results, limits } = await run({ quick, root, ...(rounds ? { rounds } : {}), ...(loss ? { loss } : {}) });

print(results);
for (const limit of [...explainLimits(results), ...limits]) console.log(`What limits: ${limit}`);
const warning = busyBefore(environment);
if (warning) console.log(`Mind: ${warning}`);
mkdirSync(path.join(root, ".bench"), { recursive: true });
const report = {
  name,
  at: at.toISOString(),
  commit: readCommit(root),
  environment: { ...environment, quick, ...(loss ? { loss } : {}) },
  results,
  limits,
};
writeFileSync(path.join(root, ".bench", `${name}${loss ? "-loss" : ""}.json`), `${JSON.stringify(report, null, 2)}\n`);
const held = results.filter((each) => each.holds).length;
const missed = results.filter((each) => each.holds === false).length;
console.log(`\n${held} bars held, ${missed} missed`);
process.exit(failing(results, quick).length === 0 ? 0 : 1);

function readArguments(): { name: string; quick: boolean; rounds?: number; loss?: number } | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { quick: { type: "boolean", default: false }, rounds: { type: "string" }, loss: { type: "string" } },
    });
    const [name = "", ...more] = positionals;
    const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
    const loss = values.loss === undefined ? undefined : Number(values.loss);
    const isCount = rounds === undefined || (Number.isInteger(rounds) && rounds > 0);
    const isLoss = loss === undefined || (name === "churn" && loss > 0);
    if (!known.includes(name) || more.length > 0 || !isCount || !isLoss) return null;
    return { name, quick: values.quick, ...(rounds ? { rounds } : {}), ...(loss ? { loss } : {}) };
  } catch {
    return null; // a word that isn't known
  }
}

function print(rows: Result[]): void {
  const head = ["subject", "metric", "n", "median", "95 % of median", "p99", "max", "bar", "holds"];
  const body = rows.map((row) => [
    row.subject,
    `${row.metric} (${row.unit})`,
    String(row.n),
    short(row.median),
    `${short(row.low)} … ${short(row.high)}`,
    short(row.p99),
    short(row.max),
    row.bar ?? "",
    row.holds === null ? "" : row.holds ? "yes" : "MISSED",
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...body.map((cells) => cells[i]?.length ?? 0)));
  for (const cells of [head, widths.map((width) => "─".repeat(width)), ...body]) {
    console.log(cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "));
  }
}

function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
