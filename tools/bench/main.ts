import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { all, type BenchArguments, type Cases, type Form, parseArguments } from "./arguments.ts";
import { catalogue, skipReason } from "./catalogue.ts";
import { busyBefore, readCommit, readEnvironment } from "./environment.ts";
import { reportOf } from "./report.ts";
import { explainLimits, lacking, missed, type Result } from "./result.ts";
import { smokeAll } from "./smoke-all.ts";
import { printTable } from "./table.ts";

// `npm run bench -- NAME [--quick | --smoke] [--rounds N]` runs one benchmark, prints a table and writes .bench/NAME.json,
// or .bench/NAME-smoke.json. `returns --cases FROM-TO` runs a part of the cases and writes .bench/returns-FROM-TO.json. `churn --loss PERCENT` loses packets and writes .bench/churn-loss.json. `npm run bench -- --smoke`
// runs the smoke form of every benchmark.
export type Options = { form: Form; root: string; rounds?: number; loss?: number; cases?: Cases };
export type Benchmark = (options: Options) => Promise<{ results: Result[]; limits: string[] }>;

const root = path.resolve(import.meta.dirname, "../..");
const known = Object.keys(catalogue);
const wanted = parseArguments(process.argv.slice(2), known);
if ("error" in wanted) {
  console.error(
    `${wanted.error}\nUsage: npm run bench -- NAME [--quick | --smoke] [--rounds N], where NAME is one of ${known.join(", ")}, or all with --smoke. churn has --loss PERCENT, and returns --cases FROM-TO.`,
  );
  process.exit(2);
}
process.exit(await (wanted.name === all ? smokeAll(import.meta.filename) : run(wanted)));

/** run runs one benchmark and returns the code to exit with. */
async function run(wanted: BenchArguments): Promise<number> {
  const { name, form } = wanted;
  const reason = form === "smoke" ? skipReason(name) : null;
  if (reason) {
    console.log(`${name}: ${reason}\n0 passed, 0 failed, 1 skipped`);
    return 0;
  }
  const at = new Date();
  const environment = readEnvironment();
  const benchmark = (await import(`./${name}/run.ts`)) as { run: Benchmark };
  const { results, limits } = await benchmark.run({ ...wanted, root });

  printTable(results, form !== "smoke");
  for (const limit of [...explainLimits(results), ...limits]) console.log(`What limits: ${limit}`);
  const warning = busyBefore(environment);
  if (warning) console.log(`Note: ${warning}`);
  const { file, content } = reportOf(wanted, { at, commit: readCommit(root), environment, results, limits });
  mkdirSync(path.join(root, ".bench"), { recursive: true });
  writeFileSync(path.join(root, ".bench", file), `${JSON.stringify(content, null, 2)}\n`);
  return form === "smoke" ? concludeSmoke(results) : conclude(results);
}

function conclude(results: Result[]): number {
  const held = results.filter((each) => each.holds).length;
  const { length } = missed(results);
  console.log(`\n${held} bars held, ${length} missed`);
  return Math.min(1, length);
}

function concludeSmoke(results: Result[]): number {
  const lacks = lacking(results);
  for (const each of lacks) console.error(`Missing: ${each}`);
  console.log(lacks.length === 0 ? "\n1 passed, 0 failed, 0 skipped" : "\n0 passed, 1 failed, 0 skipped");
  return Math.min(1, lacks.length);
}
