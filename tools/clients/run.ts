import { execFile } from "node:child_process";
import { promisify } from "node:util";

const runFile = promisify(execFile);

/** run runs a program, and fails with the end of its output. */
export async function run(
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64_000_000 };
    return (await runFile(program, args, options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    const end = `${stdout}${stderr}`.split("\n").slice(-30).join("\n");
    throw new Error(`${program} ${args[0] ?? ""} failed: ${end || String(error)}`);
  }
}
