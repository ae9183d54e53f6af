import { readFile } from "node:fs/promises";
import path from "node:path";

export type InstallerAddresses = { url: string; gatewayUrl: string };

/** writeInstaller returns the installer of agents with the addresses of this control plane. */
export async function writeInstaller(root: string, { url, gatewayUrl }: InstallerAddresses): Promise<string> {
  const script = await readFile(path.join(root, "deploy/agent/install.sh"), "utf8");
  return script
    .replace(/^url=''$/m, () => `url=${quote(url)}`)
    .replace(/^control_plane=''$/m, () => `control_plane=${quote(gatewayUrl)}`);
}

/** quote returns a word of the shell that has no other meaning than its text. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
