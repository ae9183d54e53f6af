import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "@fairlead/db/free-port";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { deleteExposure, type ServiceContext } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { root } from "../../settings.ts";
import { createDemo } from "../demo.ts";
import { type Elsewhere, enrollLabAgents } from "../demo-agents.ts";
import { topologyOf } from "../demo-services.ts";

/** LabStage is the demo's lab and a controller, without the dashboard: real agents, BGP, and clients behind a router. */
export type LabStage = {
  database: TestDatabase;
  clusterId: string;
  /** The pool of the demo's addresses. */
  poolId: string;
  now: () => ServiceContext;
  /** lab runs a command of the lab, such as fault or exec, and returns what it prints. */
  lab: (verb: string, ...words: string[]) => string;
  /** askFrom runs a module of JavaScript at a client or a node, and parses what it prints. */
  askFrom: (member: string, module: string) => unknown;
  /** runFrom does the same while the test continues. */
  runFrom: (member: string, module: string) => Promise<unknown>;
  /** The folder in which each member of the lab has one, such as a pod with its ticket keys. */
  folder: string;
  /** killController ends the controller at once, and returns a function that starts another one. */
  killController: () => Promise<() => void>;
  /** hops returns the number of balancers that the router's kernel uses for an address. */
  hops: (address: string) => number;
  stop: () => Promise<void>;
};

/**
 * setLabStage needs root. change edits the demo's topology; before runs once the demo exists, and before the controller starts. It may
 * return another cluster, to which some of the nodes belong.
 */
export async function setLabStage(
  name: string,
  change: (topology: string) => string,
  before?: (stage: Created) => Promise<Elsewhere | undefined>,
): Promise<LabStage> {
  const folder = mkdtempSync(path.join(os.tmpdir(), `fairlead-${name}-`));
  const at = (file: string) => path.join(folder, file);
  const [agent, topology, lab] = [at("fairlead-agent"), at("topology.yaml"), `${name}${process.pid}`];
  const children: ChildProcess[] = [];
  function run(command: string, args: string[], env: Record<string, string> = {}): ChildProcess {
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: "ignore" });
    children.push(child);
    return child;
  }
  chmodSync(folder, 0o755);
  const env = { ...process.env, CGO_ENABLED: "0" };
  const cwd = path.join(root, "agents");
  await promisify(execFile)("go", ["build", "-trimpath", "-o", agent, "./cmd/fairlead-agent"], { cwd, env });
  const database = await createTestDatabase({ connections: 8 });
  const ctx = await createTestOrganization(database.db);
  const now = () => ({ ...ctx, now: new Date() });
  const clusterId = await createDemo(now(), at("demo.json"), []);
  const elsewhere = (await before?.({ database, clusterId, now })) ?? undefined;
  const [gatewayPort, metricsPort] = [await freePort(), await freePort()];
  const gatewayUrl = `https://127.0.0.1:${gatewayPort}`;
  const control = () =>
    run(process.execPath, [path.join(root, "apps/controller/src/main.ts")], {
      DATABASE_URL: database.url,
      FAIRLEAD_SECRET: ctx.settings.secret,
      FAIRLEAD_GATEWAY_PORT: String(gatewayPort),
      FAIRLEAD_GATEWAY_URL: gatewayUrl,
      FAIRLEAD_CONTROLLER_METRICS_PORT: String(metricsPort),
    });
  let controller = control();
  const shipped = readFileSync(path.join(import.meta.dirname, "../demo-topology.yaml"), "utf8");
  writeFileSync(topology, topologyOf(change(shipped), { name: lab, routing: "bgp", addresses: new Map() }));
  mkdirSync(at("state"));
  await enrollLabAgents(now(), clusterId, {
    ...{ tokens: at("tokens"), identities: path.join(at("state"), lab) },
    elsewhere,
  });
  const flags = ["--control-plane", gatewayUrl, "--tokens", at("tokens"), "--state", at("state")];
  run(agent, ["lab", "up", topology, ...flags]);
  const { id: poolId } = await database.db.addressPool.findFirstOrThrow({ where: { clusterId } });
  const ofLab = (verb: string, ...words: string[]) =>
    execFileSync(agent, ["lab", verb, topology, ...words], { timeout: 60_000 }).toString();
  const asking = (member: string, module: string) => [member, process.execPath, "--input-type=module", "-e", module];
  return {
    ...{ database, clusterId, poolId, now, lab: ofLab, folder: path.join("/run/fairlead-lab", lab) },
    askFrom: (member, module) => JSON.parse(ofLab("exec", ...asking(member, module))),
    async runFrom(member, module) {
      const words = ["lab", "exec", topology, ...asking(member, module)];
      const { stdout } = await promisify(execFile)(agent, words, { maxBuffer: 64 * 1024 * 1024 });
      return JSON.parse(stdout);
    },
    async killController() {
      const ended = new Promise((resolve) => controller.once("exit", resolve));
      controller.kill("SIGKILL");
      await ended;
      return () => {
        controller = control();
      };
    },
    hops: (address) => ofLab("exec", "router", "ip", "route", "show", address).match(/via/g)?.length ?? 0,
    async stop() {
      for (const child of children.reverse()) {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        if (child.exitCode === null && child.signalCode === null && child.kill("SIGINT")) await ended;
      }
      execFileSync(agent, ["lab", "down", topology]);
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** setQuietStage has clients that send only what a test runs, and no exposure. */
export function setQuietStage(name: string): Promise<LabStage> {
  const quiet = (topology: string) => topology.replaceAll(/^ +(traffic:|- {service:.*)\n/gm, "");
  return setLabStage(name, quiet, deleteExposures);
}

/**
 * setSecureStage has pods with TLS, a client that sends only what a test runs, and no exposure: an agent runs one engine, and the
 * demo's may need a different one.
 */
export function setSecureStage(name: string): Promise<LabStage> {
  const secure = (topology: string) =>
    topology
      .replace(/^services:(.|\n)*?(?=^clients:)/m, "services:\n  - {name: shop, pods: web, serve: tls, port: 443}\n")
      .replace(/^clients:(.|\n)*/m, "clients:\n  - name: near\n");
  return setLabStage(name, secure, deleteExposures);
}

type Created = Pick<LabStage, "database" | "clusterId" | "now">;

export async function deleteExposures({ database, clusterId, now }: Created): Promise<undefined> {
  for (const { id } of await database.db.exposure.findMany({ where: { clusterId } })) await deleteExposure(now(), id);
}
