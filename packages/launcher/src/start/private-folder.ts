import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

/** Everything that is stored in a data folder, and what a file system of its own has at its root. */
const ours =
  /^(instance\.json.*|secret|first-owner\.txt|logs|\w+\.log(\.1)?|agent|lab|\.?postgres-.*|\.write-\d+|lost\+found)$/;
const folderMode = 0o750;

/**
 * makePrivate creates a data folder that other users can't read, and closes one of a former version. A folder with
 * anything else in it is left as it is: users may have named a shared one, such as /srv.
 */
export function makePrivate(folder: string): void {
  // Only the last folder is ours to close: the user of PostgreSQL enters through its parents.
  mkdirSync(path.dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: folderMode });
  const { mode } = statSync(folder);
  if ((mode & ~folderMode & 0o777) === 0 || !readdirSync(folder).every((name) => ours.test(name))) return;
  try {
    chmodSync(folder, mode & folderMode);
  } catch (error) {
    // A folder that an administrator owns and lets us write to is theirs to close.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) throw error;
  }
}
