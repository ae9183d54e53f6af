import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { type Measured, parseLines } from "./compare.ts";

/** runProgram builds `fairlead-bench`, runs it to its end and answers what it measured. */
export async function runProgram(root: string, args: string[], heard: (line: Measured) => void): Promise<Measured> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-bench-"));
  try {
    const binary = path.join(folder, "fairlead-bench");
    execFileSync("go", ["build", "-o", binary, "./cmd/fairlead-bench"], {
      cwd: path.join(root, "agents"),
      stdio: "inherit",
    });
    const child = spawn(binary, args, { stdio: ["ignore", "pipe", "inherit"] });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      heard(parseLines(line));
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (code !== 0) throw new Error("It could not be measured; the sentence above says why.");
    return parseLines(lines.join("\n"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
