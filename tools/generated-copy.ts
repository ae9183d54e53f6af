import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** copyCheckout copies the files of a checkout, uncommitted ones included, to a new folder, and links its node_modules. */
export function copyCheckout(root: string): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), "fairlead-generate-"));
  for (const file of listFiles(root)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(copy, file));
  }
  symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  return copy;
}

/** differingFiles lists files of a kind that are in one of two folders only, or not the same in both. */
export function differingFiles(root: string, copy: string, isOfKind: (file: string) => boolean): string[] {
  const made = execFileSync("find", [".", "-type", "f", "-not", "-path", "./node_modules/*"], {
    cwd: copy,
    encoding: "utf8",
    maxBuffer: 64_000_000,
  });
  const files = new Set([...listFiles(root), ...made.split("\n").map((file) => file.slice(2))]);
  return [...files]
    .filter(isOfKind)
    .filter((file) => read(root, file) !== read(copy, file))
    .sort();
}

function listFiles(root: string): string[] {
  const printed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64_000_000,
  });
  return printed.split("\n").filter((file) => file && existsSync(path.join(root, file)));
}

function read(folder: string, file: string): string | null {
  const full = path.join(folder, file);
  return existsSync(full) ? readFileSync(full, "base64") : null;
}
