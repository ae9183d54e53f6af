import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { identify } from "../../packages/launcher/src/process-identity.ts";
import { awsController, cacheFolder, controlPlane, nodes, type ProgramSet } from "./programs.ts";

const names = Object.keys(controlPlane.programs);

let folder: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-kubernetes-build-"));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** playGo puts a Go of our own before the machine's. "$out" is where it is to leave the program. */
function playGo(build: string): void {
  const script = `#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\nout=$2\necho $$ >> ${folder}/built\n${build}\n`;
  executable(path.join(folder, "go"), script);
}

function executable(file: string, script: string): void {
  writeFileSync(file, script);
  chmodSync(file, 0o755);
}

function provide(
  env: Record<string, string> = {},
  args: string[] = [],
): { child: ChildProcess; ended: Promise<[number, string]> } {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "main.ts"), "--idle", ...args], {
    env: { PATH: `${folder}:/usr/bin:/bin`, FAIRLEAD_CACHE: path.join(folder, "cache"), ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  started.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  return { child, ended: new Promise((resolve) => child.once("close", (code) => resolve([code ?? 1, said]))) };
}

const cache = (set: ProgramSet = controlPlane) => cacheFolder({ FAIRLEAD_CACHE: path.join(folder, "cache") }, set);
const built = () =>
  existsSync(path.join(folder, "built")) ? readFileSync(path.join(folder, "built"), "utf8").trim().split("\n") : [];

describe.runIf(process.platform === "linux")("the programs of a control plane", () => {
  it("are built once, into a folder that is named for their version and what else made them", async () => {
    playGo('echo program > "$out"');
    const [code, said] = await provide().ended;
    expect([code, said]).toEqual([0, expect.stringContaining(`are in ${cache()}`)]);
    expect(path.basename(cache())).toMatch(/^v1\.\d+\.\d+-[0-9a-f]{12}$/);
    expect(readdirSync(cache()).sort()).toEqual([...names].sort());
    await provide().ended;
    expect(built()).toHaveLength(names.length);
  });

  it("are built once where two want them at the same time", async () => {
    playGo('sleep 0.1; echo program > "$out"');
    const outcomes = await Promise.all([provide().ended, provide().ended]);
    expect(outcomes.map(([code]) => code)).toEqual([0, 0]);
    expect(built()).toHaveLength(names.length);
    expect(readdirSync(path.dirname(cache()))).toEqual([path.basename(cache())]);
  });

  it.each([
    ["what nodes run", "--nodes", nodes],
    ["AWS' controller", "--aws", awsController],
  ])("come without %s, built after them for whoever asks, into a folder of its own", async (_, option, set) => {
    playGo('echo program > "$out"');
    expect((await provide().ended)[0]).toBe(0);
    expect(existsSync(cache(set))).toBe(false);
    expect((await provide({}, [option]).ended)[0]).toBe(0);
    expect(readdirSync(cache(set)).sort()).toEqual(Object.keys(set.programs).sort());
    expect(built()).toHaveLength(names.length + Object.keys(set.programs).length);
  });

  it("don't wait for somebody who died while building", async () => {
    playGo('echo program > "$out"');
    mkdirSync(cache(), { recursive: true });
    writeFileSync(`${cache()}.lock`, JSON.stringify({ pid: process.pid, startedAt: "never" }));
    writeFileSync(path.join(cache(), ".etcd.1"), "half");
    expect((await provide().ended)[0]).toBe(0);
    expect(readdirSync(cache()).sort()).toEqual([...names].sort());
  });

  it("are not there by half where one can't be built, and what Go said is told", async () => {
    playGo('echo half > "$out"; echo "no space left on device"; exit 1');
    const [code, said] = await provide().ended;
    expect(code).toBe(1);
    expect(said).toMatch(/kube-apiserver could not be built from .*no space left on device/s);
    expect(readdirSync(cache())).toEqual([]);
    expect(existsSync(`${cache()}.lock`)).toBe(false);
  });

  it("need Go", async () => {
    const [code, said] = await provide({ PATH: "/nowhere" }).ended;
    expect([code, said]).toEqual([1, expect.stringContaining("Go can't be run (ENOENT): install Go 1.26 or newer")]);
  });

  it.each(["SIGKILL", "SIGTERM"] as const)(
    "are given up, compilers and all, when nobody wants them (%s)",
    async (signal) => {
      // A compiler beneath Go, which hears of nothing but what its group is told.
      playGo(`sh -c 'echo $$ > ${folder}/compiler; exec sleep 60'`);
      const owner = path.join(folder, "owner.mjs");
      writeFileSync(
        owner,
        `import { spawn } from "node:child_process";
       spawn(process.execPath, [${JSON.stringify(path.join(import.meta.dirname, "main.ts"))}], { stdio: ["ignore", "ignore", "ignore", "ipc"] });`,
      );
      const env = { PATH: `${folder}:/usr/bin:/bin`, FAIRLEAD_CACHE: path.join(folder, "cache") };
      const wanting = spawn(process.execPath, [owner], { env, stdio: "ignore" });
      const pids = await vi.waitFor(() => {
        const read = [
          readFileSync(path.join(folder, "compiler"), "utf8"),
          readFileSync(path.join(folder, "built"), "utf8"),
        ];
        expect(read.map(Number).filter((pid) => pid > 0)).toHaveLength(2);
        return read.map(Number);
      }, 10_000);
      wanting.kill(signal);
      await vi.waitFor(() => expect(pids.map(identify)).toEqual([null, null]), 10_000);
      expect(readdirSync(cache())).toEqual([]);
    },
  );

  it("hold still while they are told to, behind everything else that runs", async () => {
    playGo(`sh -c 'echo $$ > ${folder}/compiler; exec sleep 60'`);
    const { child } = provide();
    const pid = await vi.waitFor(() => {
      const read = Number(readFileSync(path.join(folder, "compiler"), "utf8"));
      expect(read).toBeGreaterThan(0);
      return read;
    }, 10_000);
    const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    expect(Number(stat()[16])).toBe(19); // nice
    expect(Number(stat()[38])).toBe(5); // SCHED_IDLE
    child.send("hold");
    await vi.waitFor(() => expect(stat()[0]).toBe("T"), 5_000);
    child.send("release");
    await vi.waitFor(() => expect(stat()[0]).toBe("S"), 5_000);
  });

  it("are taken from a folder that is named, which has to have them all, and ones that run", async () => {
    const named = path.join(folder, "named");
    mkdirSync(named);
    for (const name of names) executable(path.join(named, name), '#!/bin/sh\n[ "$1" = --version ]\n');
    const ask = () => provide({ FAIRLEAD_KUBERNETES_BIN: named }).ended;
    expect(await ask()).toEqual([0, expect.stringContaining(`are in ${named}`)]);

    executable(path.join(named, "kwok"), "#!/bin/sh\nexit 3\n");
    expect(await ask()).toEqual([1, expect.stringContaining(`is ${named}, whose kwok can't run here (exit 3): put`)]);
    writeFileSync(path.join(named, "kwok"), "no program", { mode: 0o644 });
    chmodSync(path.join(named, "kwok"), 0o644);
    expect((await ask())[1]).toContain("whose kwok can't run here (EACCES)");
    rmSync(path.join(named, "kwok"));
    rmSync(path.join(named, "etcd"));
    expect((await ask())[1]).toContain(`is ${named}, in which there is no etcd, kwok: put`);
    expect(built()).toEqual([]);
  });
});
