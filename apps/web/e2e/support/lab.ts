import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { leave } from "./leave.ts";
import { e2eFolder, root } from "./product.ts";
import { create, remove } from "./rest.ts";

export type Lab = {
  clusterId: string;
  poolId: string;
  /** Causes or ends a fault: `freeze web-1`. */
  fault: (change: string) => void;
  stop: () => Promise<void>;
  /**
   * Deletes the cluster of a stopped lab without exposures, because other tests count nodes. The page leaves first: one
   * that shows a node would ask for it again once it is deleted.
   */
  forget: (page: Page) => Promise<void>;
};

const members = { lab: "lab", "node-1": "node-1", "node-2": "node-2", "lb-1": "node-1", "lb-2": "node-2" };
const peers = {
  router: "router",
  "rr-1": "rr-1",
  "rr-2": "rr-2",
  "lb-1.speaker": "node-1",
  "lb-2.speaker": "node-2",
};

/** The routing of the cluster of a lab by BGP. */
export const labRouting = {
  asn: 65021,
  balancers: ["10.64.0.0/16"],
  reflectors: [
    { name: "rr-1", address: "10.64.0.201" },
    { name: "rr-2", address: "10.64.0.202" },
  ],
  routers: [{ name: "router", address: "10.64.0.1", asn: 65021 }],
  holdSeconds: 3,
};

/**
 * startLab starts a small lab whose agents join their own cluster: two balancers, three pods, a client. Its name starts
 * with the given letter and is unique on this machine.
 */
export async function startLab(
  request: APIRequestContext,
  letter: string,
  { byBgp = false }: { byBgp?: boolean } = {},
): Promise<Lab> {
  const name = `${letter}${Date.now().toString(36)}${randomInt(1_296).toString(36)}`;
  const cluster = await create(request, "clusters", { name, kind: "lab" });
  const pool = await create(request, "address-pools", {
    clusterId: cluster.id,
    name: "public",
    prefix: "203.0.113.0/24",
    allowOverlap: true,
  });
  const folder = path.join(e2eFolder, name);
  const tokens = path.join(folder, "tokens");
  mkdirSync(tokens, { recursive: true });
  let gateway = "";
  for (const [member, node] of Object.entries(byBgp ? { ...members, ...peers } : members)) {
    const spec = { clusterId: cluster.id, nodeName: node };
    const { token, command } = await create<{ token: string; command: string }>(request, "enrollment-tokens", spec);
    writeFileSync(path.join(tokens, member), token, { mode: 0o600 });
    gateway = /https:\/\/[^\s'"]+/.exec(command)?.[0] ?? "";
  }
  const file = path.join(folder, "topology.yaml");
  writeFileSync(file, topologyOf(name, byBgp));
  const program = path.join(root, "agents/bin/fairlead-agent");
  const args = ["lab", "up", file, "--control-plane", gateway, "--tokens", tokens];
  const child = spawn(program, [...args, "--state", path.join(folder, "state"), "--run", path.join(folder, "run")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-4_000);
  });
  child.once("exit", (code) => {
    if (code) console.error(`the lab ended with ${code}:\n${output}`);
  });
  const forget = async (page: Page) => {
    await leave(page);
    const nodes = await request.get(`/api/v1/nodes?clusterId=${cluster.id}&limit=20`);
    // A node can be removed once its agents have been silent for a while.
    for (const { id } of ((await nodes.json()) as { items: { id: string }[] }).items)
      await expect
        .poll(async () => (await request.delete(`/api/v1/nodes/${id}`)).ok(), { timeout: 40_000, intervals: [2_000] })
        .toBe(true);
    await remove(request, "address-pools", pool.id);
    await remove(request, "clusters", cluster.id);
  };
  const fault = (change: string) => {
    execFileSync(program, ["lab", "fault", file, ...change.split(" "), "--run", path.join(folder, "run")]);
  };
  return { clusterId: cluster.id, poolId: pool.id, fault, stop: () => end(child), forget };
}

function topologyOf(name: string, byBgp: boolean): string {
  return `name: ${name}
${byBgp ? "routing: bgp\nfamilies: [ipv4]" : ""}
nodes: [{name: node, count: 2}]
balancers: [{name: lb, count: 2}]
pods: [{name: web, count: 3}]
services: [{name: web, serve: http, port: 80}]
clients:
  - name: client
    traffic:
      - {service: web, connections: 8, perSecond: 20}
      - {service: web, connections: 2, perSecond: 10, requestsPerConnection: 1}
`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
