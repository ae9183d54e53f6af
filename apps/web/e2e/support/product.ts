import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { priceFeedNames } from "@fairlead/domain/cost";
import { claimPorts } from "@fairlead/launcher/testing/claim-ports";

// The product instance of a test run: its data, its ports, its owner. The configuration is evaluated in the main process,
// which chooses the values, and again in each worker, which reads them from its environment.
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
  /** The ports at which tests start an emulated cloud and price feeds, which the product may query. */
  cloud: first + 4,
  priceFeeds: first + 5,
  /** The port of an identity provider, which the product may query too. */
  oidc: first + 7,
  /** The port at which Lighthouse controls a browser. */
  devtools: first + 6,
};

export const cloudUrl = `http://127.0.0.1:${ports.cloud}`;
export const oidcUrl = `http://127.0.0.1:${ports.oidc}`;
/** Mirrors for all feeds, so that no test queries a server outside this machine. */
export const priceMirrors = priceFeedNames
  .map((feed) => `${feed}=http://127.0.0.1:${ports.priceFeeds}/${feed}`)
  .join(",");

export const owner = { email: "owner@example.test", password: "correct-Horse-7" };
export const storageState = path.join(e2eFolder, "signed-in.json");

/** agentPid is the process ID of the local agent, as recorded by the launcher. */
export function agentPid(): number {
  const instance = JSON.parse(readFileSync(path.join(dataFolder, "instance.json"), "utf8")) as {
    children: { name: string; process: { pid: number } }[];
  };
  const agent = instance.children.find(({ name }) => name === "agent");
  if (!agent) throw new Error(`no agent runs on ${dataFolder}`);
  return agent.process.pid;
}

// It also contains traces of failed tests, so only a run without failures deletes it.
if (isRun)
  process.once("exit", (code) => {
    if (code === 0) rmSync(e2eFolder, { recursive: true, force: true });
  });

/** Accessible to other users, because as root, PostgreSQL runs as another user. */
function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-e2e-"));
  chmodSync(folder, 0o755);
  return folder;
}
