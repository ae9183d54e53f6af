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
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../settings.ts";
import { createDemo } from "./demo.ts";
import { enrollLabAgents } from "./demo-agents.ts";

// The demo lab, whose pods have their own certificates, and a controller, without the dashboard. It needs root.
const waiting = { timeout: 90_000, interval: 200 };
const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-names-"));
const at = (name: string) => path.join(folder, name);
const agent = at("fairlead-agent");
const topology = at("topology.yaml");
const name = `sni${process.pid}`;
const dnsZone = "games.example.com";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
const children: ChildProcess[] = [];
const now = (): ServiceContext => ({ ...ctx, now: new Date() });

beforeAll(async () => {
  chmodSync(folder, 0o755);
  const env = { ...process.env, CGO_ENABLED: "0" };
  const agents = path.join(root, "agents");
  await promisify(execFile)("go", ["build", "-trimpath", "-o", agent, "./cmd/fairlead-agent"], { cwd: agents, env });
  database = await createTestDatabase({ connections: 8 });
  ctx = await createTestOrganization(database.db);
  clusterId = await createDemo(now(), at("demo.json"));
  // An agent runs one engine, and the demo's exposure needs a different one.
  for (const { id } of await database.db.exposure.findMany({ where: { clusterId } })) await deleteExposure(now(), id);
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
  const secure = "services:\n  - {name: shop, pods: web, serve: tls, port: 443}";
  const quiet = shipped.replace("services:", secure).replace(/^clients:(.|\n)*/m, "clients:\n  - name: near\n");
  writeFileSync(topology, `name: ${name}\nrouting: bgp\n${quiet}`);
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

it("connects a client to each pod by server name at one address, also to a replaced pod, and rejects a client without a known name", async () => {
  const { id: poolId } = await database.db.addressPool.findFirstOrThrow({ where: { clusterId } });
  const { id } = await createExposure(
    now(),
    exposureSpec.parse({
      ...{ clusterId, name: "named", workload: { kind: "deployment", name: "web" }, ports: [{ port: 443 }] },
      strategy: { type: "per-replica", addressing: "shared-sni", replicas: 2, poolId, dnsZone },
    }),
  );
  const names = ["web-1", "web-2", "web-3"].map((each) => `${each}.${dnsZone}`);
  const entries = () => database.db.addressMapping.findMany({ where: { exposureId: id, ready: true } });
  const known = async () => (await entries()).map((each) => each.serverName).sort();
  await expect.poll(known, waiting).toEqual(names);
  const addresses = new Set((await entries()).map((each) => each.externalAddress));
  expect(addresses.size).toBe(1);
  const [address = ""] = addresses;
  const routed = () => lab("exec", "router", "ip", "route", "show", address).match(/via/g)?.length ?? 0;
  await expect.poll(routed, waiting).toBe(2);

  const all = Object.fromEntries(names.map((each) => [each, [each.replace(`.${dnsZone}`, "")]]));
  const unknown = `web-4.${dnsZone}`;
  expect(answers(address, [...names, unknown])).toEqual({ ...all, [unknown]: ["unrecognized name"] });
  lab("fault", "kill", "web-2");
  await expect.poll(() => answers(address, names), waiting).toEqual(all);
  await expect.poll(() => drops(), waiting).toBeGreaterThan(0);
}, 300_000);

/** answers returns, per name, the subjects of the certificates that a client receives over many connections, or the error. */
function answers(address: string, names: string[]): Record<string, string[]> {
  const ask = `
    import tls from "node:tls";
    const one = (servername) => new Promise((resolve) => {
      const socket = tls.connect({ host: "${address}", port: 443, servername, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subject.CN);
        socket.destroy();
      });
      socket.once("error", (error) => resolve(/unrecognized name/.test(error.message) ? "unrecognized name" : error.code));
    });
    const found = {};
    for (const name of ${JSON.stringify(names)}) {
      const subjects = new Set();
      for (let i = 0; i < 20; i++) subjects.add(await one(name));
      found[name] = [...subjects];
    }
    console.log(JSON.stringify(found));`;
  return JSON.parse(lab("exec", "near", process.execPath, "--input-type=module", "-e", ask)) as Record<
    string,
    string[]
  >;
}

/** drops returns the number of drop series for clients without a known server name. */
async function drops(): Promise<number> {
  const rows = await database.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM series WHERE metric = 'dropsPerSecond' AND labels LIKE '%unknown_server_name%'`;
  return rows[0]?.count ?? 0;
}

function lab(verb: string, ...words: string[]): string {
  return execFileSync(agent, ["lab", verb, topology, ...words], { timeout: 60_000 }).toString();
}

function run(command: string, args: string[], env: Record<string, string> = {}): void {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: "ignore" });
  children.push(child);
}
