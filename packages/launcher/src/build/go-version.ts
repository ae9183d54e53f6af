import { spawnSync } from "node:child_process";
import path from "node:path";

/** The Go version in the agents' go.mod. */
export const minGoVersion = "1.26";

/** isRecentGo parses the output of `go version`, such as "go version go1.26.8 linux/amd64" or "go version devel go1.27-1a2b3c …". */
export function isRecentGo(output: string): boolean {
  const [, major, minor] = /^go version .*?\bgo(\d+)\.(\d+)/m.exec(output) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = minGoVersion.split(".").map(Number);
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}

/** goVersion returns the version line of `go version`, without messages about a toolchain download. */
export function goVersion(output: string): string {
  return output.split("\n").find((line) => line.startsWith("go version ")) ?? "";
}

/** findGo returns the version of a Go that is recent enough to build the agents, or null. */
export function findGo(root: string): string | null {
  // Run in the build folder: there, go may download a newer toolchain.
  const { stdout } = spawnSync("go", ["version"], { cwd: path.join(root, "agents"), encoding: "utf8" });
  return stdout && isRecentGo(stdout) ? goVersion(stdout) : null;
}
