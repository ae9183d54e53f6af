import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Refusal } from "../../packages/launcher/src/refusal.ts";
import { readCommit } from "../bench/environment.ts";
import { findChromium } from "./needs/chromium.ts";
import { meetNeeds } from "./needs/needs.ts";
import { toJunit } from "./reports/junit.ts";
import { describeSummary, totalOf } from "./reports/summary.ts";
import { runSuites } from "./run-suites.ts";
import { listGoPackages } from "./since/go-packages.ts";
import { type Narrowed, narrow } from "./since/narrow.ts";
import { changedSince, openRepository } from "./since/repository.ts";
import type { Suite } from "./suite.ts";
import { listSuites } from "./suites.ts";

// `npm test [-- WORD…] [--since REF]`: all suites, those whose names contain a word, or those that the changes since a commit can
// affect. With --force, no check uses the cache. Results are also in .test/report.json and .test/junit.xml, and each suite's output in .test/logs.
const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, ".test");

async function main(): Promise<void> {
  const { words, since, isListed, isForced } = readArguments(process.argv.slice(2));
  const all = listSuites(root, isForced);
  const named = words.length > 0 ? all.filter(({ name }) => words.some((word) => name.includes(word))) : all;
  if (named.length === 0)
    throw new Refusal(`No suite has such a name. The suites are: ${all.map(({ name }) => name).join(", ")}.`);
  const { run: chosen, skipped } = since ? narrowTo(named, since) : { run: named, skipped: [] };
  if (isListed) {
    for (const { name } of chosen) console.log(name);
    return;
  }
  if (skipped.length > 0) console.log(`• Not affected since ${since}, not run: ${skipped.join(", ")}`);
  if (chosen.length === 0) {
    console.log("\nNothing to run.\n0 passed, 0 failed, 0 skipped");
    return;
  }

  await meetNeeds([...new Set(chosen.flatMap(({ needs = [] }) => needs))]);
  if (chosen.some(({ inBrowser }) => inBrowser)) process.env.CHROMIUM = await findChromium();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, "logs"), { recursive: true });

  const startedAt = new Date();
  const { suites, cached } = await runSuites(chosen, { root, folder, signal: stopSignal() });
  const summary = {
    startedAt: startedAt.toISOString(),
    commit: readCommit(root),
    cores: os.availableParallelism(),
    wallMs: Date.now() - startedAt.getTime(),
    cpuMs: suites.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    suites,
    skippedSuites: skipped,
    cached,
  };
  writeFileSync(path.join(folder, "report.json"), `${JSON.stringify(summary, null, 2)}\n`);
  writeFileSync(path.join(folder, "junit.xml"), toJunit(suites));
  for (const line of describeSummary(summary)) console.log(line);
  const { passed, failed } = totalOf(suites);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

function narrowTo(suites: readonly Suite[], since: string): Narrowed {
  return narrow(suites, {
    changed: changedSince(root, since),
    repository: openRepository(root),
    packages: () => listGoPackages(root),
  });
}

type Arguments = { words: string[]; since?: string; isListed: boolean; isForced: boolean };

function readArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        since: { type: "string" },
        list: { type: "boolean", default: false },
        force: { type: "boolean", default: false },
      },
    });
    const { since, list: isListed, force: isForced } = values;
    return { words: positionals, ...(since === undefined ? {} : { since }), isListed, isForced };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Refusal(`${problem}\nUsage: npm test -- [WORD…] [--since REF] [--force] [--list]`);
  }
}

/** stopSignal aborts when the run is interrupted or its parent npm process ends. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  process.once("disconnect", () => stop.abort());
  return stop.signal;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Refusal ? `\n${error.message}\n` : error);
  process.exitCode = 1;
});
if (process.connected) process.disconnect();
