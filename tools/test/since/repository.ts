import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../../packages/launcher/src/refusal.ts";

/** Repository is the files of a checkout, by their paths from its root. */
export type Repository = { files: readonly string[]; read: (file: string) => string };

export function openRepository(root: string): Repository {
  const files = git(root, ["ls-files", "--cached", "--others", "--exclude-standard"]);
  return {
    files: files.filter((file) => existsSync(path.join(root, file))),
    read: (file) => readFileSync(path.join(root, file), "utf8"),
  };
}

/** changedSince lists what differs from a commit, deleted, uncommitted and new files included. */
export function changedSince(root: string, ref: string): string[] {
  try {
    git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  } catch {
    throw new Refusal(`--since ${ref}: no such commit. Use a branch, a tag or a commit, such as HEAD~1.`);
  }
  // Without following renames: importers of the old name are affected too.
  const differing = git(root, ["diff", "--name-only", "--no-renames", ref, "--"]);
  return [...new Set([...differing, ...git(root, ["ls-files", "--others", "--exclude-standard"])])];
}

function git(root: string, args: string[]): string[] {
  const printed = execFileSync("git", ["-c", "core.quotePath=false", ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64_000_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return printed.split("\n").filter(Boolean);
}
