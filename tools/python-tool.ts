import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** findPythonTool returns the folder of a package's programs, which exists once it is installed. */
export function findPythonTool(name: string, version: string): string {
  const cache = process.env.FAIRLEAD_CACHE ?? path.join(os.homedir(), ".cache/fairlead");
  return path.join(cache, `${name}-${version}`, "bin");
}

/** installPythonTool installs a package into its own folder of the cache, once, and returns the folder of its programs. */
export async function installPythonTool(name: string, version: string, program = name): Promise<string> {
  const programs = findPythonTool(name, version);
  const home = path.dirname(programs);
  if (existsSync(path.join(programs, program))) return programs;
  console.log(`Installing ${name} ${version} into ${home}`);
  mkdirSync(path.dirname(home), { recursive: true });
  try {
    await run("python3", ["-m", "venv", home]);
    await run(path.join(programs, "pip"), ["install", "--quiet", `${name}==${version}`]);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    const why = error instanceof Error ? error.message.split("\n").slice(0, 3).join(" ") : String(error);
    throw new Error(`${name} needs python3 (3.10 or later) with venv, and PyPI: ${why}`);
  }
  return programs;
}
