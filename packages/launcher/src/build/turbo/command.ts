import { createRequire } from "node:module";
import path from "node:path";
import { Refusal } from "../../refusal.ts";
import { turboCacheFolder } from "./cache-folder.ts";

export type TurboOptions = {
  /** Run the tasks even if the cache has their results, and store the new ones. */
  force?: boolean;
  /** The output of `go version`, from findGo(). Tasks that use Go depend on it. */
  go?: string | null;
  env?: NodeJS.ProcessEnv;
};

export type TurboCommand = { command: string; args: string[]; env: NodeJS.ProcessEnv };

/** turboCommand runs tasks of turbo.json with the local cache only: no remote cache, no telemetry, no update check. */
export function turboCommand(root: string, tasks: string[], options: TurboOptions = {}): TurboCommand {
  const { force = false, go = null, env = process.env } = options;
  // Without colours, even if FORCE_COLOR is set: the output is parsed.
  const fixed = ["--no-color", "--continue=always", "--output-logs=errors-only", "--log-order=grouped"];
  // --force can't be combined with --cache: write-only is the same.
  const cache = [`--cache=local:${force ? "w" : "rw"}`, `--cache-dir=${turboCacheFolder(root, env)}`];
  return { command: turboProgram(root), args: ["run", ...tasks, ...cache, ...fixed], env: turboEnv(root, go, env) };
}

function turboEnv(root: string, go: string | null, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // The user's own settings of turbo would change what runs, or use a remote cache.
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("TURBO_")));
  return {
    ...rest,
    PATH: `${path.join(root, "node_modules/.bin")}${path.delimiter}${env.PATH ?? ""}`,
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    // npm runs the scripts: without its messages, log files and update check.
    npm_config_loglevel: "silent",
    npm_config_logs_max: "0",
    npm_config_update_notifier: "false",
    ...(go ? { FAIRLEAD_GO: go } : {}),
  };
}

/** turboProgram returns the native program: its JavaScript wrapper installs it if missing, and doesn't forward signals. */
function turboProgram(root: string): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const arch = process.arch === "x64" ? "64" : process.arch;
  const name = `@turbo/${platform}-${arch}/bin/turbo${process.platform === "win32" ? ".exe" : ""}`;
  try {
    return createRequire(path.join(root, "package.json")).resolve(name);
  } catch {
    throw new Refusal(
      `The npm package @turbo/${platform}-${arch} is not installed. It is needed for every build: run npm ci with optional packages, on Linux, macOS or Windows with x64 or arm64.`,
    );
  }
}
