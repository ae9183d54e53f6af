import path from "node:path";
import { findGo, minGoVersion } from "../packages/launcher/src/build/go-version.ts";
import { runTurbo } from "../packages/launcher/src/build/turbo/run.ts";
import { messageOf } from "../packages/launcher/src/refusal.ts";

// `npm run verify`: all checks that need no service. turbo runs the tasks, two at a time, and uses its cache for tasks whose files
// have not changed. `--force` runs all of them.
const root = path.resolve(import.meta.dirname, "..");
const titles: Record<string, string> = {
  "//#lint": "format and lint",
  "//#types": "types",
  "//#unit": "unit tests, import arrows, document references",
};
const onGo: Record<string, string> = { "@fairlead/agents#vet": "gofmt and go vet" };

const began = Date.now();
try {
  process.exitCode = await verify();
} catch (error) {
  console.error(messageOf(error) ?? error);
  process.exitCode = 1;
}

async function verify(): Promise<number> {
  const go = findGo(root);
  const chosen = go ? { ...titles, ...onGo } : titles;
  const names = Object.keys(chosen);
  const { code, output, tasks } = await runTurbo(root, names, { go, force: process.argv.includes("--force") });
  for (const task of tasks) {
    const how = task.isCached ? "not changed" : seconds(task.ms);
    console.log(`${task.exitCode === 0 ? "✓" : "✗"} ${chosen[task.id] ?? task.id} (${how})`);
    if (task.exitCode !== 0) console.log(task.log);
  }
  if (!go)
    for (const title of Object.values(onGo)) console.log(`– ${title}: Go ${minGoVersion} or newer is not installed`);
  const passed = tasks.filter(({ exitCode }) => exitCode === 0).length;
  // turbo may fail before its tasks begin.
  if (tasks.length === 0) console.log(output);
  console.log(`\n${passed} passed, ${names.length - passed} failed (${seconds(Date.now() - began)})`);
  return code === 0 && passed === names.length ? 0 : 1;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
