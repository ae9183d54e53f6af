import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** buildPrograms builds commands of the agents, and removes them when they were used. */
export async function buildPrograms<const T extends readonly string[], R>(
  root: string,
  names: T,
  use: (paths: { [K in keyof T]: string }) => Promise<R>,
): Promise<R> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-bench-"));
  try {
    execFileSync("go", ["build", "-o", `${folder}/`, ...names.map((name) => `./cmd/${name}`)], {
      cwd: path.join(root, "agents"),
      stdio: "inherit",
    });
    return await use(names.map((name) => path.join(folder, name)) as { [K in keyof T]: string });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** runLines runs a program to its end and answers the lines that it printed. */
export async function runLines(program: string, args: string[], heard: (line: string) => void): Promise<string[]> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    heard(line);
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error("It could not be measured; the sentence above says why.");
  return lines;
}
