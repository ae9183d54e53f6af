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
import { identify } from "../../packages/launcher/src/process/process-identity.ts";
import { awsController, cacheFolder, controlPlane, nodes, type ProgramSet } from "./programs.ts";

const names = Object.keys(controlPlane.programs);

/** Time limits. They are generous because a build with --idle gets the processor only after every other process. */
const patience = { timeout: 90_000, interval: 50 };
vi.setConfig({ testTimeout: 200_000, hookTimeout: 100_000 });

let folder: string;
let builds: Build[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-kubernetes-build-"));
});
afterEach(async () => {
  // On this signal a build ends its compilers, removes its temporary files, and exits.
  for (const { child } of builds) child.kill("SIGTERM");
  await Promise.all(builds.map(({ ended }) => ended));
  builds = [];
  rmSync(folder, { recursive: true, force: true });
});

type Build = { child: ChildProcess; ended: Promise<[code: number, output: string]> };

/** fakeGo puts a fake go first in PATH. It writes each requested package to "$out". */
function fakeGo(build: string): void {
  const script = `#!/bin/sh
while [ "$1" != -o ]; do shift; done
folder=$2; shift 2
for package; do
  out=$folder$(basename "\${package%/v3}")
  echo $$ >> ${folder}/built
  ${build}
done
`;
  executable(path.join(folder, "go"), script);
}

function executable(file: string, script: string): void {
  writeFileSync(file, script);
  chmodSync(file, 0o755);
}

function provide(env: Record<string, string> = {}, args: string[] = []): Build {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "main.ts"), ...args], {
    env: { PATH: `${folder}:/usr/bin:/bin`, FAIRLEAD_CACHE: path.join(folder, "cache"), ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<[number, string]>((resolve) => child.once("close", (code) => resolve([code ?? 1, output])));
  const build = { child, ended };
  builds.push(build);
  return build;
}

/** pidIn reads a process ID that a program writes to a file in the folder, as soon as it exists. */
function pidIn(file: string): Promise<number> {
  return vi.waitFor(() => {
    const pid = Number(readFileSync(path.join(folder, file), "utf8"));
    expect(pid).toBeGreaterThan(0);
    return pid;
  }, patience);
}

const cache = (set: ProgramSet = controlPlane) => cacheFolder({ FAIRLEAD_CACHE: path.join(folder, "cache") }, set);
const built = () =>
  existsSync(path.join(folder, "built")) ? readFileSync(path.join(folder, "built"), "utf8").trim().split("\n") : [];

describe.runIf(process.platform === "linux")("the programs of a control plane", () => {
  it("are built once, into a folder named for their version and build inputs", async () => {
    fakeGo('echo program > "$out"');
    const [code, output] = await provide().ended;
    expect([code, output]).toEqual([0, expect.stringContaining(`are in ${cache()}`)]);
    expect(path.basename(cache())).toMatch(/^v1\.\d+\.\d+-[0-9a-f]{12}$/);
    expect(readdirSync(cache()).sort()).toEqual([...names].sort());
    await provide().ended;
    expect(built()).toHaveLength(names.length);
  });

  it("are built once for two concurrent callers", async () => {
    fakeGo('sleep 0.1; echo program > "$out"');
    const outcomes = await Promise.all([provide().ended, provide().ended]);
    expect(outcomes.map(([code]) => code)).toEqual([0, 0]);
    expect(built()).toHaveLength(names.length);
    expect(readdirSync(path.dirname(cache()))).toEqual([path.basename(cache())]);
  });

  it.each([
    ["the programs of nodes", "--nodes", nodes],
    ["AWS' controller", "--aws", awsController],
  ])("don't include %s, which is built after them on request, into a separate folder", async (_, option, set) => {
    fakeGo('echo program > "$out"');
    expect((await provide().ended)[0]).toBe(0);
    expect(existsSync(cache(set))).toBe(false);
    expect((await provide({}, [option]).ended)[0]).toBe(0);
    expect(readdirSync(cache(set)).sort()).toEqual(Object.keys(set.programs).sort());
    expect(built()).toHaveLength(names.length + Object.keys(set.programs).length);
  });

  it("don't wait for a builder that died", async () => {
    fakeGo('echo program > "$out"');
    mkdirSync(cache(), { recursive: true });
    writeFileSync(`${cache()}.lock`, JSON.stringify({ pid: process.pid, startedAt: "never" }));
    writeFileSync(path.join(cache(), ".etcd.1"), "half");
    expect((await provide().ended)[0]).toBe(0);
    expect(readdirSync(cache()).sort()).toEqual([...names].sort());
  });

  it("are absent if one can't be built, which is reported with Go's output", async () => {
    fakeGo('if [ "$out" = "$folder"kwok ]; then echo "no space left on device"; exit 1; fi; echo program > "$out"');
    const [code, output] = await provide().ended;
    expect(code).toBe(1);
    expect(output).toMatch(/^kwok failed to build from .*no space left on device/ms);
    expect(readdirSync(cache())).toEqual([]);
    expect(existsSync(`${cache()}.lock`)).toBe(false);
  });

  it("need Go", async () => {
    const [code, output] = await provide({ PATH: "/nowhere" }).ended;
    expect([code, output]).toEqual([
      1,
      expect.stringContaining("Go failed to start (ENOENT): install Go 1.26 or newer"),
    ]);
  });

  it.each(["SIGKILL", "SIGTERM"] as const)(
    "stop building, including the compilers, when the parent ends (%s)",
    async (signal) => {
      // A compiler started by Go: it ends only with a signal to its process group.
      fakeGo(`sh -c 'echo $$ > ${folder}/compiler; exec sleep 600'`);
      const owner = path.join(folder, "owner.mjs");
      writeFileSync(
        owner,
        `import { spawn } from "node:child_process";
       import { writeFileSync } from "node:fs";
       const build = spawn(process.execPath, [${JSON.stringify(path.join(import.meta.dirname, "main.ts"))}], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
       writeFileSync(${JSON.stringify(path.join(folder, "build"))}, String(build.pid));`,
      );
      const env = { PATH: `${folder}:/usr/bin:/bin`, FAIRLEAD_CACHE: path.join(folder, "cache") };
      const wanting = spawn(process.execPath, [owner], { env, stdio: "ignore" });
      const pids = await Promise.all(["compiler", "built", "build"].map(pidIn)).finally(() => wanting.kill(signal));
      // The build itself ends last: it removes its temporary files after its compilers have exited.
      await vi.waitFor(() => expect(pids.map(identify)).toEqual([null, null, null]), patience);
      expect(readdirSync(cache())).toEqual([]);
    },
  );

  it("pause on request, and run at idle priority", async () => {
    fakeGo(`sh -c 'echo $$ > ${folder}/compiler; exec sleep 600'`);
    const { child } = provide({}, ["--idle"]);
    const pid = await pidIn("compiler");
    const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    expect(Number(stat()[16])).toBe(19); // nice
    expect(Number(stat()[38])).toBe(5); // SCHED_IDLE
    child.send("hold");
    await vi.waitFor(() => expect(stat()[0]).toBe("T"), patience);
    child.send("release");
    await vi.waitFor(() => expect(stat()[0]).toBe("S"), patience);
  });

  it("are used from a configured folder, which must contain all of them in working order", async () => {
    const named = path.join(folder, "named");
    mkdirSync(named);
    for (const name of names) executable(path.join(named, name), '#!/bin/sh\n[ "$1" = --version ]\n');
    const ask = () => provide({ FAIRLEAD_KUBERNETES_BIN: named }).ended;
    expect(await ask()).toEqual([0, expect.stringContaining(`are in ${named}`)]);

    executable(path.join(named, "kwok"), "#!/bin/sh\nexit 3\n");
    expect(await ask()).toEqual([1, expect.stringContaining(`is ${named}, whose kwok fails to run (exit 3): put`)]);
    writeFileSync(path.join(named, "kwok"), "no program", { mode: 0o644 });
    chmodSync(path.join(named, "kwok"), 0o644);
    expect((await ask())[1]).toContain("whose kwok fails to run (EACCES)");
    rmSync(path.join(named, "kwok"));
    rmSync(path.join(named, "etcd"));
    expect((await ask())[1]).toContain(`is ${named}, which lacks etcd, kwok: put`);
    expect(built()).toEqual([]);
  });
});
