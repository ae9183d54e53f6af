import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { controlPlaneAddress } from "./addresses.ts";
import { answersOf } from "./instances.ts";
import type { Nodes } from "./nodes.ts";
import { startNodes } from "./start-nodes.ts";

const roundTripMs = 40;
const patience = { timeout: 60_000, interval: 200 };
const agents = path.resolve(import.meta.dirname, "../../../../../../agents");

let folder: string;
let nodes: Nodes;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-delay-"));
  const program = path.join(folder, "fairlead-bench");
  const env = { ...process.env, CGO_ENABLED: "0" };
  await promisify(execFile)("go", ["build", "-trimpath", "-o", program, "./cmd/fairlead-bench"], { cwd: agents, env });
  nodes = await startNodes({ count: 2, delay: { program, roundTripMs } });
  await nodes.control.api.create("/apis/apps/v1/namespaces/default/statefulsets", answersOf("far", 2));
}, 300_000);
afterAll(async () => {
  await nodes?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Pod = { spec: { nodeName: string }; status: { podIP?: string; phase: string } };

async function podOn(node: string): Promise<string> {
  const { items } = await nodes.control.api.get<{ items: Pod[] }>("/api/v1/namespaces/default/pods");
  const pod = items.find(({ spec, status }) => spec.nodeName === node && status.phase === "Running");
  if (!pod?.status.podIP) throw new Error(`no pod runs on ${node}`);
  return pod.status.podIP;
}

/** connect returns how long a connection from the first node takes, in milliseconds; null without one within two seconds. */
async function connect(host: string, port: number): Promise<number | null> {
  const script = `
    import net from "node:net";
    const began = performance.now();
    const socket = net.connect({ host: "${host}", port: ${port} });
    socket.setTimeout(2_000, () => process.stdout.write("null") && process.exit());
    socket.once("connect", () => process.stdout.write(String(performance.now() - began)) && process.exit());`;
  const text = await nodes.run("node-1", [process.execPath, "--input-type=module", "-e", script]);
  return JSON.parse(text) as number | null;
}

it("delays what nodes and pods of two nodes send each other, and nothing else", async () => {
  await expect
    .poll(async () => connect(await podOn("node-2"), 8_080), patience)
    .toBeGreaterThanOrEqual(roundTripMs - 1);
  await expect.poll(async () => connect(await podOn("node-1"), 8_080), patience).toBeLessThan(roundTripMs);
  const port = Number(new URL(nodes.control.url).port);
  await expect.poll(() => connect(controlPlaneAddress, port), patience).toBeLessThan(roundTripMs);
}, 120_000);

it("has no line to a node that is disconnected", async () => {
  const pod = await podOn("node-2");
  await nodes.cut("node-2");
  expect(await connect(pod, 8_080)).toBeNull();
  await nodes.mend("node-2");
  await expect.poll(() => connect(pod, 8_080), patience).toBeGreaterThanOrEqual(roundTripMs - 1);
}, 120_000);

it("limits the CPU time of a node's pods", async () => {
  nodes.limitPods({ cores: 0.1, periodMs: 10 });
  for (const name of nodes.names) {
    const folder = path.join("/sys/fs/cgroup", nodes.cpuFolders(name).limit);
    await nodes.run(name, ["sh", "-c", busyIn(folder)]);
    expect(throttledIn(folder)).toBeGreaterThan(0);
  }
}, 120_000);

/** busyIn is a shell that uses CPU time in a cgroup for a while. It leaves the cgroup when it ends. */
function busyIn(folder: string): string {
  return `echo $$ > ${folder}/cgroup.procs; i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done`;
}

function throttledIn(folder: string): number {
  const [, count] = /^nr_throttled (\d+)$/m.exec(readFileSync(path.join(folder, "cpu.stat"), "utf8")) ?? [];
  return Number(count);
}
