import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { step } from "./progress.ts";

/** buildAgent compiles the agent, or says in a sentence why this machine will run none. */
export async function buildAgent(root: string): Promise<string | null> {
  if (process.platform !== "linux") {
    console.log(
      "• Agent and lab run on Linux only, so neither this machine nor a demo is in the dashboard; it works without.",
    );
    return null;
  }
  const binary = path.join(root, "agents/bin/fairlead-agent");
  const version = await run("go", ["version"], root);
  if (version.code !== 0) {
    console.log(
      "• Go is not installed, so no agent and no lab with a demo run on this machine; the dashboard works without. Install Go 1.26 or newer and start again to see both in it.",
    );
    return null;
  }
  const build = () =>
    run("go", ["build", "-trimpath", "-o", binary, "./cmd/fairlead-agent"], path.join(root, "agents"));
  const { code, output } = existsSync(binary)
    ? await build()
    : await step("Building the agent (about a minute the first time)", build);
  if (code === 0) return binary;
  console.log(
    `• The agent could not be built, so neither it nor a lab with a demo runs on this machine; the dashboard works without. Go said: ${output.trim().split("\n").at(-1)}`,
  );
  return null;
}

function run(command: string, args: string[], cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
