import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Nodes, podsOf, withLibraries } from "@fairlead/drivers/kubernetes-testing";
import { expect, vi } from "vitest";
import type { Ends, RedisClient } from "./redis-client.ts";

export const redisPort = 6_379;
const busPort = 16_379;
const masters = 3;
const slots = 16_384;
const image = "example.test/redis:1";
const patience = { timeout: 60_000, interval: 200 };

/** masterOf returns the instance that owns a slot. */
export function masterOf(slot: number): string {
  return `redis-${Math.min(masters - 1, Math.floor((slot * masters) / slots))}`;
}

/** firstSlotOf returns a slot of an instance, or null for a replica. */
export function firstSlotOf(instance: string): number | null {
  const number = Number(instance.replace("redis-", ""));
  return number < masters ? Math.ceil((number * slots) / masters) : null;
}

/** deployRedis creates six servers that are not yet a cluster. Their data outlives their pods. */
export async function deployRedis(nodes: Nodes): Promise<void> {
  await nodes.addImage(image, {
    files: withLibraries("/usr/bin/redis-server"),
    entrypoint: ["/usr/bin/redis-server"],
  });
  const data = path.join(nodes.folder, "redis");
  for (let number = 0; number < masters * 2; number++)
    mkdirSync(path.join(data, `redis-${number}`), { recursive: true });
  const settings = {
    ...{ port: redisPort, dir: "/data/$(POD)", save: "", "protected-mode": "no" },
    ...{ appendonly: "yes", appendfsync: "no", "repl-diskless-sync-delay": 0 },
    // Longer than the replacement of a pod, so that no failover happens.
    ...{ "cluster-enabled": "yes", "cluster-node-timeout": 60_000, "cluster-announce-ip": "$(POD_ADDRESS)" },
  };
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  const container = {
    ...{ name: "redis", image, ports: [{ containerPort: redisPort }] },
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    env: [field("POD", "metadata.name"), field("POD_ADDRESS", "status.podIP")],
    readinessProbe: { tcpSocket: { port: redisPort }, periodSeconds: 1 },
    volumeMounts: [{ name: "data", mountPath: "/data" }],
  };
  const volumes = [{ name: "data", hostPath: { path: data, type: "Directory" } }];
  await nodes.control.api.create(
    "/apis/apps/v1/namespaces/default/statefulsets",
    podsOf("redis", masters * 2, container, volumes),
  );
}

/** The internal and external endpoint of each instance, by number. */
export type Instance = { internal: string; external: Ends[number] };

/** makeCluster forms the cluster through the external endpoints; among themselves the servers use the pods' addresses. */
export async function makeCluster(client: RedisClient, instances: readonly Instance[]): Promise<void> {
  const ask = (number: number, ...command: (string | number)[]) => {
    const at = instances[number]?.external;
    if (!at) throw new Error(`there is no redis-${number}`);
    return client.ask(at, ...command);
  };
  const says = (number: number, what: RegExp, ...command: string[]) =>
    vi.waitFor(async () => expect(String(await ask(number, ...command))).toMatch(what), patience);
  const numbers = [...instances.keys()];
  for (const number of numbers) await says(number, /^PONG/, "PING");
  const share = (number: number) => Math.ceil((number * slots) / masters);
  for (const number of numbers.slice(0, masters))
    await ask(number, "CLUSTER", "ADDSLOTSRANGE", share(number), share(number + 1) - 1);
  for (const { internal } of instances.slice(1)) await ask(0, "CLUSTER", "MEET", internal, redisPort, busPort);
  const links = async (number: number) => String(await ask(number, "CLUSTER", "NODES")).match(/ connected/g)?.length;
  for (const number of numbers)
    await vi.waitFor(async () => expect(await links(number)).toBe(instances.length), patience);
  for (const number of numbers.slice(masters))
    await ask(number, "CLUSTER", "REPLICATE", String(await ask(number - masters, "CLUSTER", "MYID")));
  for (const number of numbers.slice(masters)) await says(number, /master_link_status:up/, "INFO", "replication");
  for (const number of numbers) await says(number, /cluster_state:ok/, "CLUSTER", "INFO");
}

/** whoIs returns the permanent ID of the server behind an endpoint. */
export async function whoIs(client: RedisClient, at: Ends[number]): Promise<string> {
  return String(await client.ask(at, "CLUSTER", "MYID"));
}

/** addressKnownBy returns the address that a server has for another one, and the cluster's state; null without an answer. */
export async function addressKnownBy(
  client: RedisClient,
  at: Ends[number],
  id: string,
): Promise<{ address: string | undefined; state: string | undefined } | null> {
  try {
    const known = String(await client.ask(at, "CLUSTER", "NODES"));
    const info = String(await client.ask(at, "CLUSTER", "INFO"));
    return {
      address: new RegExp(`^${id} ([^:]+):`, "m").exec(known)?.[1],
      state: /cluster_state:(\w+)/.exec(info)?.[1],
    };
  } catch {
    return null;
  }
}
