import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@fairlead/db/free-port";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { root } from "../settings.ts";
import { living, Product, removeFolder, scratchFolder, until } from "../testing/product.ts";
import { Person } from "../testing/user.ts";
import { whyNoSessions } from "./demo-services.ts";
import { labName } from "./name.ts";

const isRoot = process.getuid?.() === 0;
const agent = path.join(root, "agents/bin/fairlead-agent");
const folder = scratchFolder();
const data = path.join(folder, "data");
/** A demo without the permissions of root has no TLS service and no adaptive one. */
const exposures = 1 + (whyNoSessions(os.release(), isRoot) === null ? 1 : 0) + (isRoot ? 1 : 0);
const nothing = { processes: [], namespaces: [], pinned: [], cgroups: [] };
let port = 0;

type Traffic = {
  client: string;
  service: string;
  requests: number;
  failed: number;
  broken: number;
  lastError?: string;
};

beforeAll(async () => {
  port = await freePort();
});
const started: Product[] = [];
afterEach(async () => {
  // A product that a failed test left running would block the next test.
  for (const product of started.splice(0)) if (product.launcher.exitCode === null) await product.stop();
});
afterAll(() => removeFolder(folder));

describe("npm start runs a lab", () => {
  it("with traffic soon after the dashboard is ready, and removes it completely at Ctrl-C", async () => {
    const product = start(undefined);
    await product.ready();
    const person = await Person.signIn(product.url);
    await until(() => serves(person), 30_000);
    await until(async () => (await throughputBps(person)) > 50_000, 30_000);
    expect(living(product.children())).toContain("lab");
    if (isRoot) expect(left().cgroups).toHaveLength(2);
    expect(left()).not.toEqual(nothing);
    await expectAllAnswered(person);
    if (isRoot) await expectLocalAnswers(person);
    if (isRoot) await expectOneReplicaAnswers(person);
    if (isRoot) await expectDrainBreaksNothing(person);

    const children = product.children();
    await product.stop();
    expect(living(children)).toEqual([]);
    expect(left()).toEqual(nothing);
  });

  it("and takes over the remains of a killed launcher", async () => {
    const first = start(undefined);
    await first.ready();
    await until(() => first.children().some((child) => child.name === "lab"), 10_000);
    const children = first.children();
    first.kill();
    await first.ended;
    expect(living(children)).toContain("lab");

    const second = start(undefined);
    await second.ready();
    expect(living(children)).toEqual([]);
    const person = await Person.signIn(second.url);
    await until(() => serves(person), 30_000);
    await expectAllAnswered(person);
    await second.stop();
    expect(left()).toEqual(nothing);
  });

  it("but not when it is off; then it still cleans up a lab that was killed with its launcher", async () => {
    const first = start(undefined);
    await first.ready();
    await until(() => first.children().some((child) => child.name === "lab"), 10_000);
    await until(() => left().processes.length > 5, 10_000);
    const lab = first.child("lab").process.pid;
    first.kill();
    process.kill(lab, "SIGKILL");
    await first.ended;
    if (isRoot) expect(left().namespaces).not.toEqual([]);

    const second = start("off");
    await second.ready();
    await until(() => JSON.stringify(left()) === JSON.stringify(nothing), 10_000);
    expect(living(second.children()).sort()).toEqual(["agent", "controller", "database", "web"]);
    await second.stop();
    expect(second.output).not.toContain("lab");
  });
});

// For other users, only root can forbid namespaces.
describe.runIf(isRoot)("npm start without permission to create namespaces", () => {
  it("reports it, creates no cluster for the lab, and runs everything else", async () => {
    const product = start(undefined, path.join(folder, "other"), ["setpriv", "--bounding-set=-sys_admin"]);
    await product.ready();
    await until(() => product.output.includes("The demo lab is not running"), 20_000);
    expect(product.output).toContain("this machine can't run a lab");
    expect(product.output).toContain("run as root with the capability CAP_SYS_ADMIN");
    const person = await Person.signIn(product.url);
    const { items } = await person.get<{ items: { name: string }[] }>("clusters");
    expect(items.map((each) => each.name)).toEqual(["local"]);
    expect(living(product.children()).sort()).toEqual(["agent", "controller", "database", "web"]);
    await product.stop();
  });
});

function start(lab: "off" | undefined, where = data, by: string[] = []): Product {
  const product = new Product(where, port, { FAIRLEAD_LAB: lab }, by);
  started.push(product);
  return product;
}

async function serves(person: Person): Promise<boolean> {
  const { items } = await person.get<{ items: { phase: string }[] }>("exposures");
  return items.length === exposures && items.every((each) => each.phase === "serving");
}

async function throughputBps(person: Person): Promise<number> {
  const { items } = await person.get<{ items: { id: string; name: string }[] }>("load-balancers");
  const to = Date.now();
  const query = new URLSearchParams({
    subjectIds: items.find((each) => each.name === "web")?.id ?? "",
    metrics: "throughputBps",
    sumBy: "subject",
    from: new Date(to - 60_000).toISOString(),
    to: new Date(to).toISOString(),
  });
  const answer = await person.get<{ series: { points: { avg: number }[] }[] }>(`series?${query}`);
  return answer.series[0]?.points.at(-1)?.avg ?? 0;
}

/** expectAllAnswered waits until clients have sent requests, and checks that all of them succeeded. Otherwise it fails with the events. */
async function expectAllAnswered(person: Person): Promise<void> {
  const clients = () => {
    const output = execFileSync(agent, ["lab", "status", path.join(data, "lab/topology.yaml"), "--json"]);
    return (JSON.parse(output.toString()) as { traffic: Traffic[] }).traffic;
  };
  await until(() => clients().length === 2 * exposures && clients().every((each) => each.requests > 50), 30_000);
  const faults = clients().flatMap(({ client, service, failed, broken, lastError }) =>
    failed + broken > 0 ? [`${client} to ${service}: ${failed} failed, ${broken} broken (${lastError})`] : [],
  );
  if (faults.length === 0) return;
  const { items } = await person.get<{ items: { at: string; message: string }[] }>("events?limit=50");
  throw new Error([...faults, ...items.map(({ at, message }) => `${at} ${message}`)].join("\n"));
}

/** expectLocalAnswers waits until the nodes of the adaptive exposure distribute their connections, most of them to themselves. */
async function expectLocalAnswers(person: Person): Promise<void> {
  const { items } = await person.get<{ items: { id: string; name: string }[] }>("exposures");
  const id = items.find((each) => each.name === "web-adaptive")?.id;
  type Node = { nodeName: string; problem: string; localShare: number | null };
  const local = async () => {
    const { adaptive } = await person.get<{ adaptive: { nodes: Node[] } }>(`exposures/${id}`);
    return adaptive.nodes.map((each) => [each.nodeName, each.problem, (each.localShare ?? 0) > 0.5].join());
  };
  await until(async () => (await local()).join("; ") === "node-1,,true; node-2,,true", 30_000);
}

/** expectOneReplicaAnswers exposes the demo's application again, with one balancer, which must receive all packets. */
async function expectOneReplicaAnswers(person: Person): Promise<void> {
  const { items } = await person.get<{ items: { id: string; clusterId: string }[] }>("address-pools");
  const [pool] = items;
  const { id } = await person.post<{ id: string }>("exposures", {
    clusterId: pool?.clusterId,
    name: "alone",
    workload: { kind: "deployment", name: "web" },
    ports: [{ port: 80 }],
    strategy: { type: "ecmp", replicas: 1, poolId: pool?.id },
  });
  const exposure = () => person.get<{ phase: string; addresses: string[] }>(`exposures/${id}`);
  await until(async () => (await exposure()).phase === "serving", 20_000);
  const [address] = (await exposure()).addresses;
  const script = `for (let i = 0; i < 60; i++) await fetch("http://${address}/", { headers: { connection: "close" } })`;
  const topology = path.join(data, "lab/topology.yaml");
  // A router of a lab learns a balancer's addresses within 100 ms.
  await sleep(500);
  execFileSync(agent, ["lab", "exec", topology, "near", process.execPath, "--input-type=module", "-e", script], {
    timeout: 20_000,
  });
  await person.delete(`exposures/${id}`);
  // Its connections have a minute to close.
  await until(async () => (await person.get<{ items: object[] }>("exposures")).items.length === exposures, 100_000);
  await expectAllAnswered(person);
}

/** expectDrainBreaksNothing drains a node whose balancer has connections, and ends the drain. Routers must follow both. */
async function expectDrainBreaksNothing(person: Person): Promise<void> {
  type Announcement = { nodeId: string; nodeName: string; state: string };
  type Routed = { prefix: string; nextHops: { nodeName: string }[] };
  const announcements = async () => (await person.get<{ items: Announcement[] }>("announcements")).items;
  // Of each address.
  const states = async () => [
    ...new Set((await announcements()).map((each) => `${each.nodeName} ${each.state}`).sort()),
  ];
  const hops = async () => {
    const { items } = await person.get<{ items: Routed[] }>("routes");
    const route = items.find((each) => each.prefix === "203.0.113.1/32");
    return route?.nextHops.map((each) => each.nodeName).sort();
  };
  await until(async () => (await states()).join() === "node-1 offered,node-2 offered", 20_000);
  const drains = (await announcements()).find((each) => each.nodeName === "node-2");
  await person.patch(`nodes/${drains?.nodeId}`, { draining: true });
  await until(async () => (await states()).join() === "node-1 offered,node-2 withdrawn", 60_000);
  await until(async () => (await hops())?.join() === "node-1", 20_000);
  await expectAllAnswered(person);
  await person.patch(`nodes/${drains?.nodeId}`, { draining: false });
  await until(async () => (await states()).join() === "node-1 offered,node-2 offered", 20_000);
  await until(async () => (await hops())?.join() === "node-1,node-2", 20_000);
  await expectAllAnswered(person);
}

/** left returns the remains of the lab: its processes and, as root, namespaces, pinned programs in the kernel and cgroups. */
function left(): Record<keyof typeof nothing, string[]> {
  const named = (where: string) =>
    existsSync(where) ? readdirSync(where).filter((each) => each.startsWith(`fl-${labName(data)}-`)) : [];
  const processes = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && runs(pid));
  const [, , cgroups = ""] = /^(\S+) (\S+) cgroup2 /m.exec(readFileSync("/proc/mounts", "utf8")) ?? [];
  return {
    processes,
    namespaces: named("/run/netns"),
    pinned: named("/sys/fs/bpf/fairlead"),
    cgroups: named(cgroups),
  };
}

function runs(pid: string): boolean {
  try {
    const [, role = "", ...flags] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    if (!readlinkSync(`/proc/${pid}/exe`).startsWith(agent)) return false;
    return role.startsWith("lab") || flags.some((each) => each.startsWith(path.join(data, "lab")));
  } catch {
    return false; // it ended meanwhile
  }
}
