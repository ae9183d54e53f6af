import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { GuardedPrograms } from "../guarded-programs.ts";
import { until } from "../until.ts";
import { nodeAddress } from "./addresses.ts";
import { makeCgroups } from "./cgroups.ts";
import { finish, type Network, onMachine } from "./machine.ts";
import { containerdSocket, fakeSysctl, fakeSysctls, type NodeLayout, type NodeUsers, nodeFiles } from "./node-files.ts";

const servesWithinMs = 30_000;

/** Node is a machine of a cluster, with kubelet, containerd and kube-proxy. */
export class Node {
  readonly layout: NodeLayout;
  readonly #machine: Network;
  readonly #programs: GuardedPrograms;

  constructor(layout: NodeLayout, machine: Network, programs: GuardedPrograms) {
    this.layout = layout;
    this.#machine = machine;
    this.#programs = programs;
  }

  /** start returns when the node has these images, and its programs have started. */
  async start(users: NodeUsers, images: readonly string[]): Promise<void> {
    const { name, folder, number, cgroup } = this.layout;
    for (const [file, text] of Object.entries(nodeFiles(this.layout, users))) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    makeCgroups(cgroup);
    await this.#mount();
    this.#run("containerd", ["--config", path.join(folder, "containerd.toml")]);
    await until(`containerd of ${name}`, () => this.#ctr(["version"]), servesWithinMs).catch((cause: unknown) => {
      throw new Error(`containerd does not serve; its last log lines:\n${this.lastWords("containerd")}`, { cause });
    });
    for (const image of images) await this.importImage(image);
    this.#run("kubelet", [
      `--config=${path.join(folder, "kubelet.json")}`,
      `--kubeconfig=${path.join(folder, "kubelet.kubeconfig")}`,
      `--cert-dir=${path.join(folder, "pki")}`,
      `--root-dir=${path.join(folder, "kubelet")}`,
      `--hostname-override=${name}`,
      `--node-ip=${nodeAddress(number)}`,
    ]);
    this.#run("kube-proxy", [`--config=${path.join(folder, "proxy.json")}`]);
  }

  importImage(archive: string): Promise<void> {
    return this.#ctr(["--namespace", "k8s.io", "images", "import", archive]).then(() => {});
  }

  /** killContainers ends the containers of pods that have this name, with SIGKILL. The kubelet starts them again. */
  async killContainers(container: string): Promise<number> {
    const ofPods = ["--namespace", "k8s.io"];
    const filter = `labels."io.kubernetes.container.name"==${container}`;
    const named = (await this.#ctr([...ofPods, "containers", "ls", "--quiet", filter])).split("\n").filter(Boolean);
    const running = (await this.#ctr([...ofPods, "tasks", "ls"])).split("\n");
    const alive = named.filter((id) => running.some((line) => line.startsWith(id) && line.includes("RUNNING")));
    for (const id of alive) await this.#ctr([...ofPods, "tasks", "kill", "--signal", "SIGKILL", id]);
    return alive.length;
  }

  /** run runs a command to its end, among the node's processes, and returns its output. */
  run(command: readonly string[]): Promise<string> {
    return finish(onMachine(this.#machine, command));
  }

  lastWords(program: "containerd" | "kubelet" | "kube-proxy"): string {
    return this.#programs.lastWords(this.#nameOf(program));
  }

  /** Programs write to their usual paths, which are mounted so that the files are in the node's folder. */
  async #mount(): Promise<void> {
    const { folder } = this.layout;
    const over = ["/var/lib", "/var/log"].map((each) => {
      const [upper, work] = ["upper", "work"].map((kind) => path.join(folder, "over", each, kind));
      for (const each of [upper, work]) mkdirSync(each ?? "", { recursive: true });
      return `mount -t overlay -o lowerdir=${each},upperdir=${upper},workdir=${work} node ${each}`;
    });
    const sysctls = Object.keys(fakeSysctls).map(
      (name) => `mount --bind ${path.join(folder, fakeSysctl(name))} /proc/sys/${name}`,
    );
    // Inherited mounts would keep network namespaces of other programs alive after they are deleted.
    const lines = [
      "umount --all --types nsfs || :",
      "set -e",
      "mount -t tmpfs node /run",
      // Programs that pods pin end with the node.
      "mount -t bpf node /sys/fs/bpf",
      ...over,
      ...sysctls,
      "mount --make-rshared /",
    ];
    await finish(onMachine(this.#machine, ["sh", "-c", lines.join("\n")]));
  }

  #run(program: string, args: string[]): void {
    const { bin } = this.layout;
    // The kubelet and containerd find their helper programs by PATH.
    const search = `PATH=${bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
    const [command = "", ...rest] = onMachine(this.#machine, ["env", search, path.join(bin, program), ...args]);
    this.#programs.start(this.#nameOf(program), command, rest);
  }

  #ctr(args: string[]): Promise<string> {
    return finish(
      onMachine(this.#machine, [path.join(this.layout.bin, "ctr"), "--address", containerdSocket, ...args]),
    );
  }

  #nameOf(program: string): string {
    return `${this.layout.name}-${program}`;
  }
}
