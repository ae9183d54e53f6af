import { linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

/**
 * offerAgent puts the agent of this start where the dashboard serves it to other machines: a second name of the same
 * file. Without an agent, the dashboard tries to build it when a machine requests it.
 */
export function offerAgent(root: string, binary: string | null, arch: string = process.arch): void {
  const folder = path.join(root, "agents/bin/download");
  const offered = path.join(folder, `linux-${arch === "x64" ? "amd64" : arch}`);
  if (binary === null) {
    rmSync(offered, { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true });
  const next = `${offered}.${process.pid}`;
  linkSync(binary, next);
  renameSync(next, offered);
  rmSync(next, { force: true }); // rename does nothing if both names are of the same file already
}
