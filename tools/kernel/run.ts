import { spawnSync } from "node:child_process";

/** runsOk reports whether a program is there and succeeds. */
export function runsOk(program: string, words: readonly string[]): boolean {
  return spawnSync(program, words, { stdio: "ignore" }).status === 0;
}

/** outputOf returns what a program prints, or throws what it reports. */
export function outputOf(program: string, words: readonly string[], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", cwd });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")}: ${stderr || "it isn't installed"}`);
  return stdout;
}
