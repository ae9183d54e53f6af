import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "@fairlead/db/free-port";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { createExposure as exposureSpec } from "@fairlead/domain/exposure";
import { createExposure, deleteExposure, type ServiceContext } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../settings.ts";
import { createDemo } from "./demo.ts";
import { enrollLabAgents } from "./demo-agents.ts";

// The demo lab and a controller, without the dashboard: real agents, BGP, and clients behind a router. It needs root.
const waiting = { timeout: 90_000, interval: 100 };
const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-instances-"));
const at = (name: string) => path.join(folder, name);
const agent = at("fairlead-agent");
const topology = at("topology.yaml");
const name = `demo${process.pid}`;

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  chmodSync(folder, 0o755);
  const env = { ...process.env, CGO_ENABLED: "0" };
  const agents = path.join(root, "agents");
  await promisify(execFile)("go", ["build", "-trimpath", "-o", agent, "./cmd/fairlead-agent"], { cwd: agents, env });
  database = await createTestDatabase({ connections: 8 });
  ctx = await createTestOrganization(database.db);
  clusterId = await createDemo(now(), at("demo.json"));
  const [gatewayPort, metricsPort] = [await freePort(), await freePort()];
  const gatewayUrl = `https://127.0.0.1:${gatewayPort}`;
  run(process.execPath, [path.join(root, "apps/controller/src/main.ts")], {
    DATABASE_URL: database.url,
    FAIRLEAD_SECRET: ctx.settings.secret,
    FAIRLEAD_GATEWAY_PORT: String(gatewayPort),
    FAIRLEAD_GATEWAY_URL: gatewayUrl,
    FAIRLEAD_CONTROLLER_METRICS_PORT: String(metricsPort),
  });
  const shipped = readFileSync(path.join(import.meta.dirname, "demo-topology.yaml"), "utf8");
  const withoutTraffic = shipped.replaceAll(/^ +(traffic:|- {service:.*)\n/gm, "");
  writeFileSync(topology, `name: ${name}\nrouting: bgp\n${withoutTraffic}`);
  mkdirSync(at("state"));
  await enrollLabAgents(now(), clusterId, { tokens: at("tokens"), identities: path.join(at("state"), name) });
  const flags = ["--control-plane", gatewayUrl, "--tokens", at("tokens"), "--state", at("state")];
  run(agent, ["lab", "up", topology, ...flags]);
}, 300_000);
afterAll(async () => {
  for (const child of children.reverse()) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGINT")) await ended;
  }
  execFileSync(agent, ["lab", "down", topology]);
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const now = (): ServiceContext => ({ ...ctx, now: new Date() });
function run(command: string, args: string[], env: Record<string, string> = {}): void {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  children.push(child);
}
let output = "";

describe("a Fairlead load balancer for each pod of a lab", () => {
  it("serves each pod at its own address by BGP and ECMP, and keeps the address when the pod is replaced", async () => {
    const { id: poolId } = await database.db.addressPool.findFirstOrThrow({ where: { clusterId } });
    const spec = exposureSpec.parse({
      clusterId,
      name: "each",
      workload: { kind: "deployment", name: "web" },
      ports: [{ port: 80 }],
      strategy: { type: "per-replica", addressing: "balancer", replicas: 2, poolId },
    });
    const { id } = await createExposure(now(), spec);
    const three = ["web-1", "web-2", "web-3"];
    await expect.poll(async () => Object.keys(await pairs(id, true)), waiting).toEqual(three);
    const first = await pairs(id);
    expect(new Set(Object.values(first)).size).toBe(3);
    await expectAnswers(first);

    lab("fault", "remove", "pod", "web-3");
    await expect.poll(async () => Object.keys(await pairs(id)), waiting).toEqual(["web-1", "web-2"]);
    lab("fault", "add", "pod", "web");
    await expect.poll(async () => Object.keys(await pairs(id, true)), waiting).toEqual(three);
    expect(await pairs(id)).toEqual(first);
    await expectAnswers(first);

    await deleteExposure(now(), id);
    await expect.poll(() => database.db.virtualAddress.count({ where: { poolId } }), waiting).toBe(1);
  }, 400_000);
});

/** pairs maps the instances of the address map, or only the ready ones, to their addresses. */
async function pairs(exposureId: string, isReady?: true): Promise<Record<string, string>> {
  const where = { exposureId, ...(isReady ? { ready: true } : {}) };
  const rows = await database.db.addressMapping.findMany({ where, orderBy: { instance: "asc" } });
  return Object.fromEntries(rows.map((each) => [each.instance, each.externalAddress]));
}

/** expectAnswers waits until the router uses both balancers for each address, then sends requests to each over new connections. */
async function expectAnswers(wanted: Record<string, string>): Promise<void> {
  const addresses = Object.values(wanted);
  await expect
    .poll(() => addresses.map((address) => hops(address)), { ...waiting, interval: 500 })
    .toEqual(addresses.map(() => 2));
  const ask = `
    const found = {};
    for (const address of ${JSON.stringify(addresses)}) {
      const names = new Set();
      for (let i = 0; i < 20; i++) {
        const answer = await fetch("http://" + address + "/", { headers: { connection: "close" } });
        names.add((await answer.text()).trim());
      }
      found[address] = [...names];
    }
    console.log(JSON.stringify(found));`;
  const output = lab("exec", "near", process.execPath, "--input-type=module", "-e", ask);
  expect(JSON.parse(output)).toEqual(Object.fromEntries(Object.entries(wanted).map(([who, where]) => [where, [who]])));
}

/** hops returns the number of balancers that the router's kernel uses for an address. */
function hops(address: string): number {
  return lab("exec", "router", "ip", "route", "show", address).match(/via/g)?.length ?? 0;
}

function lab(verb: string, ...words: string[]): string {
  return execFileSync(agent, ["lab", verb, topology, ...words], { timeout: 60_000 }).toString();
}
