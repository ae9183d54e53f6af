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

/** masterOf answers which instance has a slot. */
export function masterOf(slot: number): string {
  return `redis-${Math.min(masters - 1, Math.floor((slot * masters) / slots))}`;
}

/** firstSlotOf is a slot that an instance has; null of one that only follows another. */
export function firstSlotOf(instance: string): number | null {
  const number = Number(instance.replace("redis-", ""));
  return number < masters ? Math.ceil((number * slots) / masters) : null;
}

/** deployRedis makes six servers, which know each other by nothing yet. What they keep outlives their pods. */
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
    // A pod comes back sooner than another would have to take over.
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

/** Where each instance is, inside and outside, by its number. */
export type Instance = { internal: string; external: Ends[number] };

/** makeCluster makes one of the servers, by way of their external ends; among themselves they use the pods' addresses. */
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

/** whoIs answers the id of the server behind an end, which it keeps for good. */
export async function whoIs(client: RedisClient, at: Ends[number]): Promise<string> {
  return String(await client.ask(at, "CLUSTER", "MYID"));
}

/** whoKnows answers where a server believes another one to be, and how it finds the cluster; null where nothing answers. */
export async function whoKnows(
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
