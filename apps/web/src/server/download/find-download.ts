import path from "node:path";
import { env } from "../../env.ts";
import { buildAgent } from "./build-agent.ts";
import { type InstallerAddresses, writeInstaller } from "./write-installer.ts";

/** The server runs in apps/web. */
const root = path.join(/* turbopackIgnore: true */ process.cwd(), "../..");

export type Download =
  | { state: "ready"; source: { file: string } | { text: string }; contentType: string }
  | { state: "building" }
  | { state: "missing"; why: string };

const platforms = ["linux-amd64", "linux-arm64"] as const;
export type Platform = (typeof platforms)[number];

/** findDownload returns what a machine needs to become a node: the agent, its systemd unit, or the script that installs both. */
export async function findDownload(name: string): Promise<Download | null> {
  const platform = platforms.find((each) => each === name);
  if (platform) return findAgent(platform);
  switch (name) {
    case "fairlead-agent.service":
      return ready({ file: path.join(root, "deploy/agent/fairlead-agent@.service") }, "text/plain; charset=utf-8");
    case "ticket-keys.conf":
      return ready(
        { file: path.join(root, "deploy/agent/fairlead-agent@backend.service.d/ticket-keys.conf") },
        "text/plain; charset=utf-8",
      );
    case "install.sh":
      return ready({ text: await writeInstaller(root, installerAddresses()) }, "text/x-shellscript; charset=utf-8");
    default:
      return null;
  }
}

async function findAgent(platform: Platform): Promise<Download> {
  const file = path.join(root, "agents/bin/download", platform);
  const { agentBuilder } = env();
  const built = await buildAgent({ platform, file, builder: agentBuilder });
  return built.state === "ready" ? ready({ file }, "application/octet-stream") : built;
}

function ready(source: { file: string } | { text: string }, contentType: string): Download {
  return { state: "ready", source, contentType };
}

function installerAddresses(): InstallerAddresses {
  const { url, gatewayUrl } = env();
  return { url, gatewayUrl };
}
