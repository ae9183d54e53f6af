import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { isRecentGo, oldestGo } from "./go-version.ts";
import { step } from "./progress.ts";
import { Refusal } from "./refusal.ts";

/** buildAgent compiles the agent, or says in a sentence why this machine will run none. */
export async function buildAgent(root: string, signal: AbortSignal): Promise<string | null> {
  if (process.platform !== "linux") {
    console.log(
      "• Agent and lab run on Linux only, so neither this machine nor a demo is in the dashboard; it works without.",
    );
    return null;
  }
  const agents = path.join(root, "agents");
  const binary = path.join(agents, "bin/fairlead-agent");
  // Asked where it will build: there it may fetch a newer version of itself, if it is set up to.
  const version = await runGo(["version"], agents, signal);
  if (!isRecentGo(version.output)) {
    const lack = version.isMissing
      ? "Go is not installed"
      : `Go is not ${oldestGo} or newer (it says: ${lastLine(version.output)})`;
    console.log(
      `• ${lack}, so no agent and no lab with a demo run on this machine; the dashboard works without. Install Go ${oldestGo} or newer and start again to see both in it.`,
    );
    return null;
  }
  const build = () => runGo(["build", "-trimpath", "-o", binary, "./cmd/fairlead-agent"], agents, signal);
  const { code, output } = existsSync(binary)
    ? await build()
    : await step("Building the agent (about a minute the first time)", build);
  if (code === 0) return binary;
  console.log(
    `• The agent could not be built, so neither it nor a lab with a demo runs on this machine; the dashboard works without. Go said: ${lastLine(output)}`,
  );
  return null;
}

type Ran = { code: number; output: string; isMissing: boolean };

async function runGo(args: string[], cwd: string, signal: AbortSignal): Promise<Ran> {
  const ran = await new Promise<Ran>((resolve) => {
    const env = { ...process.env, CGO_ENABLED: "0" };
    const child = spawn("go", args, { cwd, env, signal, stdio: ["ignore", "pipe", "pipe"] });
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
    child.once("close", (code) => resolve({ code: code ?? 1, output, isMissing }));
  });
  if (signal.aborted) throw new Refusal("Stopped while building.");
  return ran;
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1) ?? "";
}
