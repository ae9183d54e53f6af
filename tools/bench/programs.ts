import { execFileSync, spawn } from "node:child_process";
import { existsSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

/**
 * buildPrograms builds commands of the agents into its own folder, which is removed after use. The last run's binaries are
 * linked there first, so that Go builds only what has changed. So concurrent runs never share a file that one of them
 * writes.
 */
export async function buildPrograms<const T extends readonly string[], R>(
  root: string,
  names: T,
  use: (paths: { [K in keyof T]: string }) => Promise<R>,
): Promise<R> {
  const built = path.join(root, ".bench/programs");
  mkdirSync(built, { recursive: true });
  const folder = mkdtempSync(path.join(built, "run-"));
  try {
    for (const name of names) replace(path.join(built, name), path.join(folder, name));
    execFileSync("go", ["build", "-trimpath", "-o", `${folder}/`, ...names.map((name) => `./cmd/${name}`)], {
      cwd: path.join(root, "agents"),
      env: { ...process.env, CGO_ENABLED: "0" },
      stdio: "inherit",
    });
    for (const name of names) replace(path.join(folder, name), path.join(built, name));
    return await use(names.map((name) => path.join(folder, name)) as { [K in keyof T]: string });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** replace links a name to an existing file atomically: a reader never sees a partial file. */
function replace(existing: string, name: string): void {
  if (!existsSync(existing)) return;
  const next = `${name}.${process.pid}`;
  linkSync(existing, next);
  renameSync(next, name);
  rmSync(next, { force: true }); // a rename between two names of one file does nothing
}

/** runLines runs a program to its end and returns its output lines. */
export async function runLines(program: string, args: string[], onLine: (line: string) => void): Promise<string[]> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    onLine(line);
  });
  // A signal to this process alone doesn't reach the program, which must remove its namespaces and processes.
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, pass);
  const code = await new Promise((resolve) => child.once("close", resolve));
  for (const signal of signals) process.off(signal, pass);
  if (code !== 0) throw new Error("The measurement failed; the reason is above.");
  return lines;
}
