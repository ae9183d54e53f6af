import path from "node:path";
import { buildAgent } from "../../packages/launcher/src/build/build-agent.ts";
import { buildWeb } from "../../packages/launcher/src/build/build-web.ts";
import { findGo } from "../../packages/launcher/src/build/go-version.ts";
import { planTurbo, runTurbo } from "../../packages/launcher/src/build/turbo/run.ts";
import { messageOf } from "../../packages/launcher/src/refusal.ts";
import { cachedMark } from "./suites/turbo.ts";

// `node tools/test/turbo-task.ts TASK [--force]`: runs one task of turbo.json, when forced even if the cache has its result,
// and prints its output, and whether that is from the cache. The tasks `dashboard` and `agent` also put the build where `npm start` runs it.
const root = path.resolve(import.meta.dirname, "../..");
const [task = "", option] = process.argv.slice(2);
const force = option === "--force";
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

try {
  process.exitCode = await run();
} catch (error) {
  console.error(messageOf(error) ?? error);
  process.exitCode = 1;
}

async function run(): Promise<number> {
  // A build that is already in place needs no task.
  let isCached = true;
  const turbo: typeof runTurbo = async (folder, tasks, options) => {
    const ran = await runTurbo(folder, tasks, { ...options, signal: stop.signal });
    for (const each of ran.tasks) console.log(each.log);
    if (ran.tasks.length === 0) console.log(ran.output);
    isCached = ran.tasks.length > 0 && ran.tasks.every((each) => each.isCached);
    return ran;
  };
  const code = await build(turbo);
  if (isCached) console.log(cachedMark);
  return code;
}

async function build(turbo: typeof runTurbo): Promise<number> {
  if (task === "dashboard") return (await buildWeb(root, stop.signal, { plan: planTurbo, run: turbo })) ? 0 : 1;
  if (task === "agent") return (await buildAgent(root, stop.signal, turbo)) ? 0 : 1;
  return (await turbo(root, [task], { go: findGo(root), force })).code;
}
