import { accessSync, constants, mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * turboCacheFolder is shared by all checkouts of a user, so a fresh clone reuses what another one built. Platforms
 * don't share results: turbo's hash doesn't include them. Where the shared folder can't be written, the checkout's own is used.
 */
export function turboCacheFolder(root: string, env: NodeJS.ProcessEnv): string {
  const shared = sharedFolder(env);
  const own = path.join(root, ".turbo/cache");
  if (!shared) return own;
  const folder = path.resolve(root, shared, "turbo", `${process.platform}-${process.arch}`);
  return isWritable(folder) ? folder : own;
}

function sharedFolder(env: NodeJS.ProcessEnv): string | null {
  if (env.FAIRLEAD_CACHE) return env.FAIRLEAD_CACHE;
  if (env.XDG_CACHE_HOME) return path.join(env.XDG_CACHE_HOME, "fairlead");
  try {
    return path.join(env.HOME || os.homedir(), ".cache/fairlead");
  } catch {
    return null; // a user without an entry in the password file has no home
  }
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
