import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Edge } from "../testing/edge.ts";
import { aMap, exposureId, oneInstance, until } from "../testing/maps.ts";

// Each test starts processes, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let edge: Edge;
let folder: string;
let children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "fairlead-announce-"));
  edge = await new Edge(aMap(1, [])).open();
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
  await edge.close();
  await rm(folder, { recursive: true });
});

type Running = { child: ChildProcess; ended: Promise<number | null>; output: () => string };

function run(...args: string[]): Running {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "main.ts"), ...args], {
    env: { PATH: process.env.PATH, FAIRLEAD_URL: edge.url, FAIRLEAD_API_KEY: edge.key },
  });
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += String(chunk);
    });
  return { child, ended: new Promise((resolve) => child.once("close", resolve)), output: () => text };
}

const redis = (number: number) =>
  oneInstance(number, {
    ports: [
      { name: "redis", protocol: "tcp", internal: 6_379, external: 30_000 + number },
      { name: "bus", protocol: "tcp", internal: 16_379, external: 31_000 + number },
    ],
  });
const common = ["--exposure", exposureId, "--instance", "grid-5", "--format", "redis"];
const out = () => path.join(folder, "announce.conf");
const announce = (...args: string[]) => run("announce", ...common, "--out", out(), ...args);
const written = (number: number) =>
  `cluster-announce-ip 203.0.113.${number}\ncluster-announce-port ${30_000 + number}\ncluster-announce-bus-port ${31_000 + number}\n`;

describe("once", () => {
  it("writes the file as soon as the instance has an external address", async () => {
    const { ended, output } = announce();
    await until("a long poll", () => edge.waiting === 1);
    edge.serve(aMap(2, [{ ...redis(5), externalAddress: null }]));
    await until("the message", () => output().includes("grid-5 has no external address yet."));
    expect(existsSync(out())).toBe(false);
    edge.serve(aMap(3, [redis(5)]));
    expect(await ended).toBe(0);
    expect(await readFile(out(), "utf8")).toBe(written(5));
    expect(await readdir(folder)).toEqual(["announce.conf"]);
  });

  it("ends with 4 when there is no address in time, or no control plane", async () => {
    // Long enough for a response on a busy machine: it decides which message is printed.
    const { ended, output } = announce("--wait", "3s");
    expect(await ended).toBe(4);
    expect(output()).toContain("grid-5 had no external address within --wait.");
    await edge.close();
    expect(await announce("--wait", "700ms").ended).toBe(4);
  });

  it("ends with 3 when the control plane refuses", async () => {
    const key = path.join(folder, "key");
    await writeFile(key, "fl_wrong\n");
    const { ended, output } = announce("--api-key-file", key);
    expect(await ended).toBe(3);
    expect(output()).toContain("returned 401");
    expect(output()).not.toContain("fl_wrong");
  });

  it("ends with 5 when the file can't be written", async () => {
    edge.serve(aMap(2, [redis(5)]));
    const { ended, output } = run("announce", ...common, "--out", path.join(folder, "no", "file"));
    expect(await ended).toBe(5);
    expect(output()).toContain("can't be written");
  });

  it("ends with 2 when a port that the server must announce is not exposed", async () => {
    edge.serve(aMap(2, [oneInstance(5)]));
    const { ended, output } = announce();
    expect(await ended).toBe(2);
    expect(output()).toContain("grid-5 exposes no port 16379");
  });

  it("runs a command without a shell, and ends with 6 when that fails", async () => {
    edge.serve(aMap(2, [redis(5)]));
    const hostile = `$(touch ${folder}/harm); "`;
    const echo = announce("--", process.execPath, "-e", "console.log(process.argv[1])", hostile);
    expect(await echo.ended).toBe(0);
    expect(echo.output()).toContain(hostile);
    expect(existsSync(path.join(folder, "harm"))).toBe(false);
    expect(await announce("--", "false").ended).toBe(6);
    expect(await announce("--", "/no/such/program").ended).toBe(6);
  });

  it("writes to standard output", async () => {
    edge.serve(aMap(2, [redis(5)]));
    const { ended, output } = run("announce", ...common, "--out", "-");
    expect(await ended).toBe(0);
    expect(output()).toBe(written(5));
  });
});

describe("watching", () => {
  it("writes again on every change, notifies the server, and ends with 0 on a signal", async () => {
    const pidFile = path.join(folder, "server.pid");
    const signals = path.join(folder, "signals");
    const server = spawn(process.execPath, [
      "-e",
      `process.on("SIGHUP", () => require("fs").appendFileSync(${JSON.stringify(signals)}, "x")); setInterval(() => {}, 1000); console.log("up")`,
    ]);
    children.push(server);
    await new Promise((resolve) => server.stdout.once("data", resolve));
    await writeFile(pidFile, `${server.pid}\n`);
    edge.serve(aMap(2, [redis(5)]));
    const { child, ended } = announce("--watch", "--signal", "HUP", "--pid-file", pidFile);
    await until("the file", () => existsSync(out()));
    for (const number of [6, 7]) {
      await until("a long poll", () => edge.waiting === 1);
      edge.serve(aMap(number, [{ ...redis(number), instance: "grid-5" }]));
      await untilText(out(), written(number));
      await untilText(signals, "x".repeat(number - 5));
    }
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("continues after a later command fails, and keeps the file while the instance is absent", async () => {
    edge.serve(aMap(2, [redis(5)]));
    const script = `process.exit(require("fs").readFileSync(${JSON.stringify(out())}, "utf8").includes("113.6") ? 1 : 0)`;
    const { child, ended, output } = announce("--watch", "--", process.execPath, "-e", script);
    await until("the file", () => existsSync(out()));
    await until("a long poll", () => edge.waiting === 1);
    edge.serve(aMap(3, [{ ...redis(6), instance: "grid-5" }]));
    await until("the failure", () => output().includes("exited with 1"));
    await until("a long poll", () => edge.waiting === 1);
    edge.serve(aMap(4, []));
    await until("a long poll", () => edge.waiting === 1);
    expect(await readFile(out(), "utf8")).toBe(written(6));
    edge.serve(aMap(5, [redis(5)]));
    await untilText(out(), written(5));
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });
});

describe("the command line", () => {
  it("is rejected with 2 and a message when it is invalid", async () => {
    const { ended, output } = run("dance");
    expect(await ended).toBe(2);
    expect(output()).toBe("fairlead-client: Unknown command dance: expected announce.\n");
  });

  it("--help lists all options", async () => {
    const { ended, output } = run("announce", "--help");
    expect(await ended).toBe(0);
    expect(output()).toContain("--between internal");
  });
});

async function untilText(file: string, text: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (let is = ""; is !== text; is = await readFile(file, "utf8").catch(() => ""))
    if (performance.now() > deadline) throw new Error(`${file} contains ${JSON.stringify(is)}`);
    else await sleep(10);
}
