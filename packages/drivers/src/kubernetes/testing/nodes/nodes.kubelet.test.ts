import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, it, vi } from "vitest";
import { fakeSysctls } from "./node-files.ts";

const sysctls = () => Object.keys(fakeSysctls).map((name) => readFileSync(path.join("/proc/sys", name), "utf8"));
const left = ["/var/lib/kubelet", "/var/lib/cni", "/var/log/pods", "/run/containerd"];
const there = () => left.filter((each) => existsSync(each));

let kill = () => {};
afterEach(() => kill());

it("nodes leave nothing behind when their parent is killed, and don't change the machine", async () => {
  const before = [sysctls(), there()];
  const script = `
    import { startNodes } from ${JSON.stringify(path.join(import.meta.dirname, "start-nodes.ts"))};
    import { answersOf } from ${JSON.stringify(path.join(import.meta.dirname, "instances.ts"))};
    const nodes = await startNodes({ count: 1 });
    const { api } = nodes.control;
    await api.create("/apis/apps/v1/namespaces/default/statefulsets", answersOf("left", 1));
    const isReady = async () => (await api.get("/apis/apps/v1/namespaces/default/statefulsets/left")).status.readyReplicas;
    while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100));
    console.log(nodes.folder);`;
  const owner = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  kill = () => owner.kill("SIGKILL");
  const [folder] = (await once(createInterface({ input: owner.stdout }), "line")) as [string];
  const name = path.basename(folder);
  expect(cgroupsOf(name).length).toBeGreaterThan(0);
  expect(programsIn(name)).toEqual(expect.arrayContaining(["answer", "containerd", "kube-proxy", "kubelet", "pause"]));
  kill();
  const remains = () => ({ folder: existsSync(folder), cgroups: cgroupsOf(name), programs: programsIn(name) });
  await vi.waitFor(() => expect(remains()).toEqual({ folder: false, cgroups: [], programs: [] }), 20_000);
  expect([sysctls(), there()]).toEqual(before);
});

function cgroupsOf(name: string): string[] {
  const hierarchies = ["/sys/fs/cgroup", ...readdirSync("/sys/fs/cgroup").map((each) => `/sys/fs/cgroup/${each}`)];
  return hierarchies.map((each) => path.join(each, name)).filter((each) => existsSync(each));
}

/** programsIn returns the running programs of nodes that use a folder, or a cgroup with its name. */
function programsIn(name: string): string[] {
  const found = readdirSync("/proc").flatMap((pid) => {
    try {
      const isIts = ["cmdline", "cgroup"].some((file) => readFileSync(`/proc/${pid}/${file}`, "utf8").includes(name));
      return isIts ? path.basename(readlinkSync(`/proc/${pid}/exe`)) : [];
    } catch {
      return []; // no process, or one that has just ended
    }
  });
  return [...new Set(found)];
}
