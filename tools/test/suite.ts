import type { Need } from "./needs/needs.ts";
import type { Counter } from "./reports/test-result.ts";

/** Load of a suite: ½ core if it mostly waits, one core if it computes, all cores if it must be alone. */
export type Load = "waits" | "computes" | "alone";

/** A background build of programs, at idle priority: it takes no share and pauses while a suite must be alone. */
export type Build = "control plane" | "nodes" | "controller of AWS";

/** Suite is one program that tests something and one line of the result. */
export type Suite = {
  name: string;
  load: Load;
  command: Command;
  /** Names of suites that must end first: they build what this one runs. */
  after?: readonly string[];
  /** Programs of Kubernetes that it runs on. */
  kubernetes?: Build;
  needs?: readonly Need[];
  /** Chromium is found or installed first, and set in CHROMIUM. */
  inBrowser?: boolean;
  /** Its output is printed even when it passes. */
  verbose?: boolean;
  /** Time limit in minutes, after which it is killed and counts as failed; default 30. */
  limitMinutes?: number;
  /** Returns whether its result came from a cache, judging by its output. */
  cached?: (output: string) => boolean;
  reads: Reads;
};

export type Command = {
  program: string;
  args: readonly string[];
  /** A folder of the repository. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Reads the tests from the program's own report; without one, the exit code is the only test. */
  count?: Counter;
};

/** Reads lists the inputs of a suite, so that `--since` can skip it if a change can't affect it. Without inputs it always runs. */
export type Reads = {
  /** Entry points of TypeScript, as globs: with what they import, and each path of the repository that they name. */
  entries?: readonly string[];
  exclude?: readonly string[];
  /** Go packages, as patterns of the module in agents/. */
  packages?: readonly string[];
  /** Returns the command that runs only the given entries or packages. */
  only?: (affected: readonly string[]) => Command;
};

/** shareOf returns how many of the cores a suite takes. */
export function shareOf(load: Load, cores: number): number {
  switch (load) {
    case "waits":
      return 0.5;
    case "computes":
      return 1;
    case "alone":
      return cores;
    default:
      return load satisfies never;
  }
}
