import { spawn } from "node:child_process";
import path from "node:path";
import { missingIn, type ProgramSet } from "./programs.ts";

const answersWithinMs = 30_000;

/** namedFolder returns the folder with the user's own programs as an absolute path, because they are started from other folders. */
export function namedFolder(env: NodeJS.ProcessEnv, { variable }: ProgramSet): string | null {
  const named = env[variable];
  return named ? path.resolve(named) : null;
}

/** checkNamed throws unless the user's folder contains all programs of the set, and they run on this machine. */
export async function checkNamed(folder: string, set: ProgramSet): Promise<void> {
  const missing = missingIn(folder, set);
  if (missing.length > 0) throw new Error(refusal(set, folder, `which lacks ${missing.join(", ")}`));
  const programs = Object.entries(set.programs);
  const problems = await Promise.all(
    programs.map(([name, { proof = "--version" }]) => whyNotRunning(path.join(folder, name), proof)),
  );
  const first = problems.findIndex((problem) => problem !== null);
  if (first >= 0)
    throw new Error(refusal(set, folder, `whose ${programs[first]?.[0]} fails to run (${problems[first]})`));
}

function refusal({ variable, programs }: ProgramSet, folder: string, why: string): string {
  const names = Object.keys(programs).join(", ");
  return `${variable} is ${folder}, ${why}: put ${names} there, or unset it to build them.`;
}

function whyNotRunning(program: string, proof: string): Promise<string | null> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(answersWithinMs);
    const child = spawn(program, [proof], { stdio: "ignore", signal, killSignal: "SIGKILL" });
    child.once("error", (error: NodeJS.ErrnoException) => resolve(signal.aborted ? "no answer" : (error.code ?? "")));
    child.once("close", (code, signal) => resolve(code === 0 ? null : (signal ?? `exit ${code}`)));
  });
}
