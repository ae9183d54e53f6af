import type { ControlPlane, KubernetesObject } from "@fairlead/drivers/kubernetes-testing";

type Pod = KubernetesObject & { status?: { phase?: string; podIP?: string } };
type Service = KubernetesObject & {
  spec: { type?: string };
  status?: { loadBalancer?: { ingress?: { ip?: string }[] } };
};

/** SeenPod is one pod, and when it was first seen to exist, run and have an address. */
export type SeenPod = {
  uid: string;
  name: string;
  thereAt: number;
  runningAt: number | null;
  addressedAt: number | null;
  address: string | null;
};

/** SeenService is one Service, and when it was first seen to exist and to have an address. */
export type SeenService = { name: string; thereAt: number; addressedAt: number | null; address: string | null };

/** Concurrent assignments: like a load balancer controller without a backlog. */
const givenAtOnce = 16;

/**
 * ClusterWatcher watches a cluster through its apiserver, with all times from one clock, and acts as a load balancer controller: it
 * assigns an address of the benchmark network to each Service that waits for one.
 */
export class ClusterWatcher {
  /** By namespace/name, the latest of that name. */
  readonly pods = new Map<string, SeenPod>();
  readonly services = new Map<string, SeenService>();
  readonly #control: ControlPlane;
  readonly #ending = new AbortController();
  readonly #looking: Promise<unknown>;
  readonly #waiting: string[] = [];
  #queued = new Set<string>();
  #giving = 0;
  #given = 0;
  #failure: unknown = null;

  constructor(control: ControlPlane) {
    this.#control = control;
    this.#looking = Promise.all([
      this.#watch<Pod>("/api/v1/pods", (type, pod, at) => this.#seePod(type, pod, at)),
      this.#watch<Service>("/api/v1/services", (type, service, at) => this.#seeService(type, service, at)),
    ]).catch((error: unknown) => {
      this.#failure = error;
    });
  }

  podsOf(namespace: string): SeenPod[] {
    this.#check();
    return of(this.pods, namespace);
  }

  servicesOf(namespace: string): SeenService[] {
    this.#check();
    return of(this.services, namespace);
  }

  /** Figures from an incomplete watch are invalid. */
  #check(): void {
    if (this.#failure !== null) throw new Error("the benchmark's own watch broke off", { cause: this.#failure });
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#looking;
  }

  /** The apiserver disconnects a slow watcher, which then continues where it was and misses nothing. */
  async #watch<T extends KubernetesObject>(
    path: string,
    see: (type: string, object: T, at: number) => void,
  ): Promise<void> {
    const { signal } = this.#ending;
    let version = "";
    while (!signal.aborted) {
      const from = `${path}?watch=true&allowWatchBookmarks=true${version && `&resourceVersion=${version}`}`;
      try {
        for await (const { type, object } of this.#control.api.watch<T>(from, signal)) {
          if (type === "ERROR")
            throw new HistoryExpired(`the watch of ${path} has to restart: ${JSON.stringify(object)}`);
          version = object.metadata.resourceVersion ?? version;
          if (type !== "BOOKMARK") see(type, object, performance.now());
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof HistoryExpired) throw error;
      }
    }
  }

  #seePod(type: string, { metadata, status }: Pod, at: number): void {
    const key = `${metadata.namespace}/${metadata.name}`;
    const { uid = "" } = metadata;
    if (type === "DELETED") {
      if (this.pods.get(key)?.uid === uid) this.pods.delete(key);
      return;
    }
    const before = this.pods.get(key);
    const seen: SeenPod =
      before?.uid === uid
        ? before
        : { uid, name: metadata.name, thereAt: at, runningAt: null, addressedAt: null, address: null };
    if (status?.phase === "Running") seen.runningAt ??= at;
    if (status?.podIP && seen.address === null) {
      seen.addressedAt = at;
      seen.address = status.podIP;
    }
    this.pods.set(key, seen);
  }

  #seeService(type: string, { metadata, spec, status }: Service, at: number): void {
    if (spec.type !== "LoadBalancer") return;
    const key = `${metadata.namespace}/${metadata.name}`;
    if (type === "DELETED") {
      this.services.delete(key);
      this.#queued.delete(key);
      return;
    }
    const seen = this.services.get(key) ?? {
      name: metadata.name,
      thereAt: at,
      addressedAt: null,
      address: null,
    };
    this.services.set(key, seen);
    const address = status?.loadBalancer?.ingress?.[0]?.ip ?? null;
    if (address !== null && seen.address === null) {
      seen.addressedAt = at;
      seen.address = address;
    }
    if (address === null && !this.#queued.has(key)) {
      this.#queued.add(key);
      this.#waiting.push(key);
      this.#give();
    }
  }

  #give(): void {
    while (this.#giving < givenAtOnce) {
      const key = this.#waiting.shift();
      if (key === undefined) return;
      this.#giving += 1;
      const [namespace, name] = key.split("/");
      const number = this.#given++;
      const ip = `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
      this.#control.api
        .merge(`/api/v1/namespaces/${namespace}/services/${name}/status`, {
          status: { loadBalancer: { ingress: [{ ip }] } },
        })
        .catch(() => {}) // it was removed meanwhile; a Service that stays without an address fails the measurement
        .finally(() => {
          this.#giving -= 1;
          this.#give();
        });
    }
  }
}

/** HistoryExpired means that the apiserver no longer has the events since the last one. */
class HistoryExpired extends Error {}

function of<T>(all: ReadonlyMap<string, T>, namespace: string): T[] {
  return [...all].filter(([key]) => key.startsWith(`${namespace}/`)).map(([, each]) => each);
}
