import { execFile } from "node:child_process";

const withinMs = 180_000;

/** run returns what a program printed, whatever its exit code: `npm outdated` ends with 1 when something is behind. */
export function run(command: string, args: string[], cwd: string): Promise<{ stdout: string; error: string | null }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, timeout: withinMs, maxBuffer: 64_000_000 }, (error, stdout, stderr) => {
      const [line] = stderr.trim().split("\n");
      const why = error?.killed ? `no answer within ${withinMs / 1_000} s` : line || error?.message.trim();
      resolve({ stdout, error: error && (why ?? "unknown") });
    });
  });
}
