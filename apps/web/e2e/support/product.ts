import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { claimPorts } from "@fairlead/launcher/testing/claim-ports";

// The product that a run of tests has to itself: its data, its ports, its owner. The configuration is read once in the
// process of the run, which decides, and again in each of its workers, which find what was decided in their environment.
const isRun = process.env.E2E_DATA === undefined;
process.env.E2E_DATA ??= scratchFolder();
process.env.E2E_PORTS ??= String((await claimPorts()).first);

export const root = path.resolve(import.meta.dirname, "../../../..");
export const e2eFolder = process.env.E2E_DATA;
export const dataFolder = path.join(e2eFolder, "data");

const first = Number(process.env.E2E_PORTS);
export const ports = {
  dashboard: first + 1,
  gateway: first + 2,
  metrics: first + 3,
  /** Where tests start an emulated cloud, and feeds of prices: the product may query them there. */
  cloud: first + 4,
  priceFeeds: first + 5,
  /** Where Lighthouse drives a browser. */
  devtools: first + 6,
};

export const cloudUrl = `http://127.0.0.1:${ports.cloud}`;
const feeds = ["aws", "azure", "gcp", "oracle", "hetzner"];
/** Whatever feed a test reads, no server beyond this machine is queried. */
export const priceMirrors = feeds.map((feed) => `${feed}=http://127.0.0.1:${ports.priceFeeds}/${feed}`).join(",");

export const owner = { email: "owner@example.test", password: "correct-Horse-7" };
export const storageState = path.join(e2eFolder, "signed-in.json");

/** agentPid is the process of the local agent, as the launcher recorded it. */
export function agentPid(): number {
  const instance = JSON.parse(readFileSync(path.join(dataFolder, "instance.json"), "utf8")) as {
    children: { name: string; process: { pid: number } }[];
  };
  const agent = instance.children.find(({ name }) => name === "agent");
  if (!agent) throw new Error(`no agent runs on ${dataFolder}`);
  return agent.process.pid;
}

// Traces of failed tests are there too, so only a run without failures removes it.
if (isRun)
  process.once("exit", (code) => {
    if (code === 0) rmSync(e2eFolder, { recursive: true, force: true });
  });

/** Open to other users, because PostgreSQL runs as one of them when we are root. */
function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-e2e-"));
  chmodSync(folder, 0o755);
  return folder;
}
