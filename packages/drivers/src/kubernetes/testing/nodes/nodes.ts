import path from "node:path";
import type { GuardedPrograms } from "../guarded-programs.ts";
import type { OwnControlPlane } from "../own-control-plane.ts";
import { controlPlaneAddress } from "./addresses.ts";
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
  /** Where the programs of nodes were built. */
  bin: string;
};

/** Nodes is a cluster whose nodes run containers, with somebody outside who uses it. */
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

  /** addImage gives all nodes an image, which pods may name. */
  async addImage(name: string, image: { files: readonly ImageFile[]; entrypoint: readonly string[] }): Promise<void> {
    const archive = path.join(this.#parts.programs.folder, `${name.replace(/\W/g, "-")}.tar`);
    await writeImage(archive, { name, ...image });
    await Promise.all(this.#parts.nodes.map((node) => node.importImage(archive)));
  }

  /** cut takes the cable of a node away: nothing it runs ends, and nobody reaches it. */
  cut(name: string): Promise<void> {
    return cut(this.#parts.site, this.#number(name));
  }

  mend(name: string): Promise<void> {
    return mend(this.#parts.site, this.#number(name));
  }

  /** lead lets nodes and the client reach a server of ours at a port of the loopback, and says where. */
  lead(port: number): { address: string; port: number } {
    const { programs, site } = this.#parts;
    lead(programs, site, this.bin, port);
    return { address: controlPlaneAddress, port };
  }

  /** runAtSwitch starts a program that is on none of the nodes and reaches all of them. */
  runAtSwitch(name: string, program: string, args: readonly string[]): void {
    const { programs, site } = this.#parts;
    const [command = "", ...rest] = inNetwork(site.hub, [path.join(this.bin, program), ...args]);
    programs.start(name, command, rest);
  }

  /** runAtClient starts a program where clients are, such as a router that leads them. */
  runAtClient(name: string, program: string, args: readonly string[]): void {
    const { programs, site } = this.#parts;
    const [command = "", ...rest] = inNetwork(site.client, [program, ...args]);
    programs.start(name, command, rest);
  }

  lastWords(name: string): string {
    return this.#parts.programs.lastWords(name);
  }

  /** folder is where everything is written, also as nodes see it. */
  get folder(): string {
    return this.#parts.programs.folder;
  }

  async stop(): Promise<void> {
    await this.client.stop();
    await this.#parts.programs.close();
    await this.control.stop();
  }

  #number(name: string): number {
    const node = this.#parts.nodes.find(({ layout }) => layout.name === name);
    if (!node) throw new Error(`there is no node ${name}`);
    return node.layout.number;
  }
}

/** lead listens at the control plane's address, and leads to the loopback of the machine that we run on. */
export function lead(programs: GuardedPrograms, { hub }: Site, bin: string, port: number): void {
  programs.start(`relay-${port}`, path.join(bin, "relay"), [
    ...["-namespace", `/proc/${hub.pid}/ns/net`],
    ...["-listen", `${controlPlaneAddress}:${port}`],
    ...["-to", `127.0.0.1:${port}`],
  ]);
}
