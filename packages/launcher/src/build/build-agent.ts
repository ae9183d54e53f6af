import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { step } from "../progress.ts";
import { Refusal } from "../refusal.ts";
import { goVersion, isRecentGo, minGoVersion } from "./go-version.ts";
import { digestSources, environment, fileState } from "./source-digest.ts";
import { runTurbo } from "./turbo/run.ts";
import { withFolderLock } from "./with-folder-lock.ts";

const task = "@fairlead/agents#build";
/** The inputs of the build: turbo.json lists its variables too. */
export const agentFolders = ["agents"];

/** buildAgent compiles the agent, or prints why no agent can run on this machine. */
export async function buildAgent(
  root: string,
  signal: AbortSignal,
  run = runTurbo,
  digest = digestSources,
): Promise<string | null> {
  if (process.platform !== "linux") {
    console.log("• The agent and the demo lab need Linux and are not started. The dashboard works without them.");
    return null;
  }
  const agents = path.join(root, "agents");
  // Run in the build folder: there, go may download a newer toolchain.
  const version = await queryGoVersion(agents, signal);
  if (!isRecentGo(version.output)) {
    const lack = version.isMissing
      ? "Go is not installed"
      : `Go is older than ${minGoVersion} (${lastLine(version.output)})`;
    console.log(
      `• ${lack}: the agent and the demo lab are not started. The dashboard works without them. To add them, install Go ${minGoVersion} or newer and restart.`,
    );
    return null;
  }
  const binary = path.join(agents, "bin/fairlead-agent");
  const go = goVersion(version.output);
  const sources = digest(root, agentFolders, [String(go), ...environment("GO")]);
  if (isBuilt(binary, sources)) return binary;
  const build = () => place(binary, sources, () => run(root, [task], { go, signal }), signal);
  const problem = existsSync(binary)
    ? await build()
    : await step("Building the agent (about a minute the first time)", build);
  if (signal.aborted) throw new Refusal("Stopped during the build.");
  if (problem === null) return binary;
  console.log(
    `• The agent build failed: the agent and the demo lab are not started. The dashboard works without them. Reason: ${problem}`,
  );
  return null;
}

/** isBuilt returns whether the program was built from these sources and not changed since. */
function isBuilt(binary: string, sources: string | null): boolean {
  const found = lstatSync(binary, { bigint: true, throwIfNoEntry: false });
  const record = recordFile(binary);
  return (
    sources !== null &&
    found !== undefined &&
    existsSync(record) &&
    readFileSync(record, "utf8") === `${sources} ${fileState(found)}`
  );
}

/** The digest is from before the build: if sources changed meanwhile, the next start builds them. */
function recordBuild(binary: string, sources: string | null): void {
  const found = lstatSync(binary, { bigint: true, throwIfNoEntry: false });
  if (sources === null || !found) return;
  try {
    writeFileSync(recordFile(binary), `${sources} ${fileState(found)}`);
  } catch {
    // The build is usable all the same; the next start runs turbo again.
  }
}

function recordFile(binary: string): string {
  return `${binary}.sources`;
}

/** place builds and moves the result to its place if it differs: a running agent restarts itself from its path. */
async function place(
  binary: string,
  sources: string | null,
  run: () => ReturnType<typeof runTurbo>,
  signal: AbortSignal,
): Promise<string | null> {
  const folder = path.join(path.dirname(binary), "built");
  const built = path.join(folder, path.basename(binary));
  try {
    mkdirSync(folder, { recursive: true });
    return await withFolderLock(folder, signal, async () => {
      const { code, output, tasks } = await run();
      if (code !== 0) return lastLine(tasks.find(({ id }) => id === task)?.log || output);
      if (!isSame(built, binary)) renameSync(built, binary);
      recordBuild(binary, sources);
      return null;
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isSame(built: string, binary: string): boolean {
  return existsSync(binary) && readFileSync(built).equals(readFileSync(binary));
}

type GoOutput = { output: string; isMissing: boolean };

async function queryGoVersion(cwd: string, signal: AbortSignal): Promise<GoOutput> {
  const result = await new Promise<GoOutput>((resolve) => {
    const child = spawn("go", ["version"], { cwd, signal, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let isMissing = false;
    child.once("error", (error: NodeJS.ErrnoException) => {
      isMissing = error.code === "ENOENT";
      output += error.message; // it could not be started, or the signal ended it
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.once("close", () => resolve({ output, isMissing }));
  });
  if (signal.aborted) throw new Refusal("Stopped during the build.");
  return result;
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1) ?? "";
}
