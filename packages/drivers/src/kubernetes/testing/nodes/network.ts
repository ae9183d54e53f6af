import type { GuardedPrograms } from "../guarded-programs.ts";
import { clientAddress, controlPlaneAddress, nodeAddress, podNetwork } from "./addresses.ts";
import { finish, inNetwork, type Network, startMachine, startNetwork } from "./machine.ts";

/** Site is a switch that connects the nodes and a client. With lines, nodes are connected to each other by these instead. */
export type Site = { hub: Network; machines: Network[]; client: Network; lines: readonly NodePair[] };

/** The numbers of two nodes with a line between them. */
export type NodePair = readonly [number, number];

/** startSite connects the networks. It doesn't change the networks of the test machine. */
export async function startSite(programs: GuardedPrograms, count: number, pause: string): Promise<Site> {
  const hub = await startNetwork(programs, "switch", pause);
  const client = await startNetwork(programs, "client", pause);
  const machines = await Promise.all(
    Array.from({ length: count }, (_, at) => startMachine(programs, `node-${at + 1}`, pause)),
  );
  await ip(hub, [
    "link set lo up",
    "link add br0 type bridge",
    `addr add ${controlPlaneAddress}/24 dev br0`,
    "link set br0 up",
    ...plug(client, "client"),
    ...machines.flatMap((machine, at) => plug(machine, linkOf(at + 1))),
    // For the API's replies to pods.
    ...machines.map((_, at) => `route add ${podNetwork(at + 1)} via ${nodeAddress(at + 1)}`),
  ]);
  await ip(client, address(clientAddress));
  await Promise.all(machines.map((machine, at) => setNode(machine, at + 1, count)));
  return { hub, machines, client, lines: [] };
}

/** cut disconnects a node; mend reconnects it. */
export async function cut(site: Site, number: number): Promise<void> {
  await ip(
    site.hub,
    linksOf(site, number).map((link) => `link set ${link} down`),
  );
}

export async function mend(site: Site, number: number): Promise<void> {
  await ip(
    site.hub,
    linksOf(site, number).map((link) => `link set ${link} up`),
  );
}

function linksOf({ lines }: Site, number: number): string[] {
  const ends = lines.filter((pair) => pair.includes(number)).flatMap(endsOf);
  return [linkOf(number), ...ends.filter((end) => end.startsWith(`${lineOf(number)}-`))];
}

function linkOf(number: number): string {
  return `node-${number}`;
}

function lineOf(number: number): string {
  return `line-${number}`;
}

function plug({ pid }: Network, name: string): string[] {
  return [`link add ${name} type veth peer name eth0 netns ${pid}`, `link set ${name} master br0 up`];
}

function address(own: string): string[] {
  return ["link set lo up", `addr add ${own}/24 dev eth0`, "link set eth0 up"];
}

async function setNode(machine: Network, number: number, count: number): Promise<void> {
  const others = Array.from({ length: count }, (_, at) => at + 1).filter((other) => other !== number);
  await ip(machine, [
    ...address(nodeAddress(number)),
    // The gateway forwards nothing. Service addresses only need a route, so that kube-proxy can rewrite them.
    `route add default via ${controlPlaneAddress}`,
    ...others.map((other) => `route add ${podNetwork(other)} via ${nodeAddress(other)}`),
  ]);
  await finish(inNetwork(machine, ["sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]));
}

/** endsOf returns the interfaces of a line at the switch. */
export function endsOf([a, b]: NodePair): [string, string] {
  return [`${lineOf(a)}-${b}`, `${lineOf(b)}-${a}`];
}

/**
 * layLines connects each pair of nodes, and their pods, by two cables that end at the switch. A program there has to forward
 * frames between both ends. The control plane stays connected without one.
 */
export async function layLines(site: Site): Promise<Site> {
  const numbers = site.machines.map((_, at) => at + 1);
  const lines = numbers.flatMap((a) => numbers.filter((b) => b > a).map((b): NodePair => [a, b]));
  for (const [at, machine] of site.machines.entries()) {
    const own = at + 1;
    const others = numbers.filter((other) => other !== own);
    const plugs = others.map(
      (other) => `link add ${lineOf(own)}-${other} type veth peer name to-${other} netns ${machine.pid}`,
    );
    await ip(site.hub, [...plugs, ...others.map((other) => `link set ${lineOf(own)}-${other} up`)]);
    await ip(
      machine,
      others.flatMap((other) => [
        `addr add ${nodeAddress(own)}/32 dev to-${other}`,
        `link set to-${other} up`,
        `route add ${nodeAddress(other)} dev to-${other} src ${nodeAddress(own)}`,
        `route replace ${podNetwork(other)} via ${nodeAddress(other)} dev to-${other}`,
      ]),
    );
  }
  return { ...site, lines };
}

async function ip(network: Network, lines: readonly string[]): Promise<void> {
  await finish(inNetwork(network, ["ip", "-batch", "-"]), `${lines.join("\n")}\n`);
}
