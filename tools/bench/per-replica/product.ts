import { readFileSync } from "node:fs";
import type { Stack } from "../controlplane/stack.ts";

/** ask calls the product's REST API, like a pipeline. */
export async function ask<T>({ url, key }: Stack, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return (text ? JSON.parse(text) : null) as T;
}

/** attach creates a cluster that is accessed with a kubeconfig. */
export async function attach(stack: Stack, name: string, kubeconfig: string): Promise<string> {
  const { id } = await ask<{ id: string }>(stack, "POST", "/clusters", {
    name,
    kind: "kubernetes",
    kubernetes: { kubeconfig },
  });
  return id;
}

/** expose requests a separate address for each pod of a stateful set. */
export async function expose(stack: Stack, clusterId: string, namespace: string, name: string): Promise<string> {
  const { id } = await ask<{ id: string }>(stack, "POST", "/exposures", {
    clusterId,
    name: `${name}-${namespace}`.slice(0, 40),
    workload: { namespace, kind: "stateful-set", name },
    ports: [{ port: 6379, protocol: "tcp" }],
    strategy: { type: "per-replica", addressing: "dedicated", keepSeconds: 0 },
  });
  return id;
}

type AddressMap = {
  generation: number;
  entries: { instance: string; internalAddress: string; externalAddress: string; ready: boolean }[];
};

/** MapReader long-polls an exposure's map, like the client library, and records when each address pair was first served. */
export class MapReader {
  /** By "internal external". */
  readonly servedAt = new Map<string, number>();
  readonly readyAt = new Map<string, number>();
  entries: AddressMap["entries"] = [];
  readonly #ending = new AbortController();
  readonly #reading: Promise<void>;
  #failure: unknown = null;

  constructor(stack: Stack, exposureId: string) {
    this.#reading = this.#read(stack, exposureId).catch((error: unknown) => {
      if (!this.#ending.signal.aborted) this.#failure = error;
    });
  }

  /** check throws if reading the map failed. */
  check(): void {
    if (this.#failure !== null) throw new Error("reading the map failed", { cause: this.#failure });
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#reading;
  }

  async #read({ url, key }: Stack, exposureId: string): Promise<void> {
    const { signal } = this.#ending;
    let after = 0;
    while (!signal.aborted) {
      const response = await fetch(`${url}/api/v1/exposures/${exposureId}/mappings?wait=30s&after=${after}`, {
        headers: { authorization: `Bearer ${key}` },
        signal,
      });
      if (!response.ok) throw new Error(`the map returned ${response.status}: ${await response.text()}`);
      const { generation, entries } = (await response.json()) as AddressMap;
      const at = performance.now();
      after = generation;
      this.entries = entries;
      for (const { internalAddress, externalAddress, ready } of entries) {
        const pair = `${internalAddress} ${externalAddress}`;
        if (!this.servedAt.has(pair)) this.servedAt.set(pair, at);
        if (ready && !this.readyAt.has(pair)) this.readyAt.set(pair, at);
      }
    }
  }
}

/** residentMb returns the resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return (Number(kib) * 1_024) / 1_000_000;
}

/** slowedIn returns the lines of the controller's log about work that failed because an apiserver returned 429. */
export function slowedIn(stack: Stack, from = 0): { failures: string[]; end: number } {
  const text = readFileSync(`${stack.dataFolder}/logs/controller.log`, "utf8");
  const failures = text
    .slice(from)
    .split("\n")
    .filter((line) => line.includes("failed, tries again") && line.includes("(429)"));
  return { failures, end: text.length };
}
