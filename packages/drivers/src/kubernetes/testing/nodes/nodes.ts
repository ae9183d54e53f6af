import path from "node:path";
import type { GuardedPrograms } from "../guarded-programs.ts";
import type { OwnControlPlane } from "../own-control-plane.ts";
import { controlPlaneAddress } from "./addresses.ts";
import { type CpuFolders, type CpuLimit, cpuFolders, limitPods, unifiedFolder } from "./cgroups.ts";
import { Client } from "./client.ts";
import { type ImageFile, writeImage } from "./image.ts";
import { inNetwork } from "./machine.ts";
import { cut, mend, type Site } from "./network.ts";
import type { Node } from "./node.ts";

export type Parts = {
  control: OwnControlPlane;
  programs: GuardedPrograms;
  site: Site;
  nodes: readonly Node[];
  /** The folder of the nodes' programs. */
  bin: string;
};

/** Nodes is a cluster whose nodes run containers, and a client outside it. */
export class Nodes {
  readonly control: OwnControlPlane;
  readonly client: Client;
  readonly bin: string;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.control = parts.control;
    this.bin = parts.bin;
    this.client = new Client(parts.site.client);
    this.#parts = parts;
  }

  get names(): string[] {
    return this.#parts.nodes.map(({ layout }) => layout.name);
  }

  /** addImage imports an image on all nodes, for pods to use. */
  async addImage(name: string, image: { files: readonly ImageFile[]; entrypoint: readonly string[] }): Promise<void> {
    const archive = path.join(this.#parts.programs.folder, `${name.replace(/\W/g, "-")}.tar`);
    await writeImage(archive, { name, ...image });
    await Promise.all(this.#parts.nodes.map((node) => node.importImage(archive)));
  }

  /** cut disconnects a node: its programs keep running, but are unreachable. */
  cut(name: string): Promise<void> {
    return cut(this.#parts.site, this.#node(name).layout.number);
  }

  mend(name: string): Promise<void> {
    return mend(this.#parts.site, this.#node(name).layout.number);
  }

  /** lead makes a server on a loopback port reachable for nodes and the client, and returns its address. */
  lead(port: number): { address: string; port: number } {
    const { programs, site } = this.#parts;
    lead(programs, site, this.bin, port);
    return { address: controlPlaneAddress, port };
  }

  /** leadBack makes a server on a port of the switch reachable on the same loopback port of the test machine. */
  leadBack(port: number): void {
    const { programs, site } = this.#parts;
    const [command = "", ...rest] = inNetwork(site.hub, [
      path.join(this.bin, "relay"),
      ...["-namespace", `/proc/${process.pid}/ns/net`],
      ...["-listen", `127.0.0.1:${port}`],
      ...["-to", `${controlPlaneAddress}:${port}`],
    ]);
    programs.start(`relay-back-${port}`, command, rest);
  }

  /** runAtSwitch starts a program that is on no node and reaches all nodes. */
  runAtSwitch(name: string, program: string, args: readonly string[]): void {
    const { programs, site } = this.#parts;
    const [command = "", ...rest] = inNetwork(site.hub, [path.join(this.bin, program), ...args]);
    programs.start(name, command, rest);
  }

  /** runAtClient starts a program in the client's network, such as a router. */
  runAtClient(name: string, program: string, args: readonly string[]): void {
    const { programs, site } = this.#parts;
    const [command = "", ...rest] = inNetwork(site.client, [program, ...args]);
    programs.start(name, command, rest);
  }

  /** killContainers ends the containers with this name on a node, with SIGKILL, and returns how many these were. */
  killContainers(name: string, container: string): Promise<number> {
    return this.#node(name).killContainers(container);
  }

  /** run runs a command to its end on a node, and returns its output. */
  run(name: string, command: readonly string[]): Promise<string> {
    return this.#node(name).run(command);
  }

  lastWords(name: string): string {
    return this.#parts.programs.lastWords(name);
  }

  /** The folder of all files. It has the same path on nodes. */
  get folder(): string {
    return this.#parts.programs.folder;
  }

  /** The folder with the nodes' cgroups of version 2, each with its node's name. All nodes share the machine's kernel. */
  get cgroups(): string {
    return unifiedFolder(path.basename(this.folder));
  }

  /** limitPods limits the CPU time of all pods of each node. */
  limitPods(limit: CpuLimit): void {
    for (const { layout } of this.#parts.nodes) limitPods(layout.cgroup, limit);
  }

  /** cpuFolders returns where the CPU time of a node's pods is. */
  cpuFolders(name: string): CpuFolders {
    return cpuFolders(this.#node(name).layout.cgroup);
  }

  async stop(): Promise<void> {
    await this.client.stop();
    await this.#parts.programs.close();
    await this.control.stop();
  }

  #node(name: string): Node {
    const node = this.#parts.nodes.find(({ layout }) => layout.name === name);
    if (!node) throw new Error(`there is no node ${name}`);
    return node;
  }
}

/** lead listens on the control plane's address, and relays to the loopback of the test machine. */
export function lead(programs: GuardedPrograms, { hub }: Site, bin: string, port: number): void {
  programs.start(`relay-${port}`, path.join(bin, "relay"), [
    ...["-namespace", `/proc/${hub.pid}/ns/net`],
    ...["-listen", `${controlPlaneAddress}:${port}`],
    ...["-to", `127.0.0.1:${port}`],
  ]);
}
