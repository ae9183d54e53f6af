import type { DesiredExposure } from "@fairlead/domain/exposure";
import type { KubernetesReads } from "../api/connect.ts";
import { endpointsBy, us } from "../services/marks.ts";
import { type Complaints, followComplaints } from "./complaints.ts";
import { type Followed, type FollowOptions, follow, type KeptObject, type Kind } from "./follow.ts";
import {
  type EndpointSlice,
  keepEndpointSlice,
  keepNode,
  keepPod,
  keepService,
  keepWorkload,
  type Node,
  ownerOf,
  type Pod,
  type Service,
  type Workload,
  workloadKinds,
} from "./objects.ts";

const workloadPaths = {
  "stateful-set": "/apis/apps/v1/statefulsets",
  deployment: "/apis/apps/v1/deployments",
  "daemon-set": "/apis/apps/v1/daemonsets",
} as const;

/** Sight is a changed object. The exposures that it concerns are found by it. */
export type Sight =
  | { type: "pod"; before: Pod | null; after: Pod | null }
  | { type: "service"; before: Service | null; after: Service | null }
  | { type: "endpoint-slice"; before: EndpointSlice | null; after: EndpointSlice | null }
  | { type: "workload"; before: Workload | null; after: Workload | null }
  | { type: "node"; before: Node | null; after: Node | null };

export type ViewOptions = {
  onSight: (sight: Sight) => void;
  /** Called after a full list: changes may have been missed before. */
  onWhole: () => void;
  onTrouble: (error: unknown | null) => void;
} & Pick<FollowOptions<unknown>, "now" | "random" | "times">;

/** Shorter problems are usually gone at the next try. */
const lastsMs = 3_000;

/** ClusterView is a copy of a cluster's objects, kept current by watches. */
export class ClusterView {
  readonly pods: Followed<Pod>;
  readonly services: Followed<Service>;
  readonly endpointSlices: Followed<EndpointSlice>;
  readonly nodes: Followed<Node>;
  readonly #complaints: Complaints;
  readonly #workloads: Record<Workload["kind"], Followed<Workload>>;
  readonly #waiting = new Set<() => void>();
  readonly #troubles = new Map<object, { error: unknown; sinceMs: number }>();

  constructor(reads: KubernetesReads, { onSight, onWhole, onTrouble, ...options }: ViewOptions) {
    const see = <Kept extends KeptObject>(type: Sight["type"], kind: Kind<Kept>): Followed<Kept> =>
      follow(reads, kind, {
        ...options,
        // The type matches the kind.
        onChange: (before, after) => onSight({ type, before, after } as Sight),
        onTrouble: (error) => {
          if (error === null) this.#troubles.delete(kind);
          else this.#troubles.set(kind, { error, sinceMs: this.#troubles.get(kind)?.sinceMs ?? performance.now() });
          if (error !== null || this.#troubles.size === 0) onTrouble(error);
        },
        onWhole: () => {
          if (this.isWhole()) for (const done of this.#waiting) done();
          onWhole();
        },
      });
    this.pods = see("pod", { path: "/api/v1/pods", keep: keepPod });
    this.services = see("service", { path: "/api/v1/services", keep: keepService });
    this.endpointSlices = see("endpoint-slice", {
      path: "/apis/discovery.k8s.io/v1/endpointslices",
      labelSelector: `${endpointsBy}=${us}`,
      keep: keepEndpointSlice,
    });
    this.nodes = see("node", { path: "/api/v1/nodes", keep: keepNode });
    this.#complaints = followComplaints(reads, {
      ...options,
      onChange: (uid) => {
        for (const each of this.services.items.values())
          if (each.uid === uid) onSight({ type: "service", before: each, after: each });
      },
    });
    const workload = (kind: Workload["kind"]) =>
      see("workload", { path: workloadPaths[kind], keep: keepWorkload(kind) });
    this.#workloads = {
      "stateful-set": workload("stateful-set"),
      deployment: workload("deployment"),
      "daemon-set": workload("daemon-set"),
    };
  }

  #all(): Followed[] {
    return [this.pods, this.services, this.endpointSlices, this.nodes, ...Object.values(this.#workloads)];
  }

  /** Whether everything was listed: an object that isn't in the view doesn't exist. */
  isWhole(): boolean {
    return this.#all().every((each) => each.isWhole());
  }

  /** The age of the oldest part of the view; null until everything was received once. */
  receivedAt(): Date | null {
    const times = this.#all().map((each) => each.receivedAt()?.getTime() ?? null);
    return times.includes(null) ? null : new Date(Math.min(...times.filter((each) => each !== null)));
  }

  /** lastingTrouble returns the error of an outage so long that a request would probably fail too; otherwise null. */
  lastingTrouble(): unknown | null {
    const lasting = [...this.#troubles.values()].find(({ sinceMs }) => performance.now() - sinceMs > lastsMs);
    return lasting?.error ?? null;
  }

  /** whole waits until everything was listed once. */
  async whole(signal: AbortSignal): Promise<void> {
    while (!this.isWhole()) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const done = () => {
          this.#waiting.delete(done);
          signal.removeEventListener("abort", done);
          resolve();
        };
        this.#waiting.add(done);
        signal.addEventListener("abort", done);
      });
    }
  }

  workloads(): Workload[] {
    return workloadKinds.flatMap((kind) => [...this.#workloads[kind].items.values()]);
  }

  /** workloadOf returns the workload that controls the pods of an exposure, or null. */
  workloadOf({ workload }: Pick<DesiredExposure, "workload">): Workload | null {
    if (workload.kind === "selector") return null;
    return this.#workloads[workload.kind].items.get(`${workload.namespace}/${workload.name}`) ?? null;
  }

  podsOf({ workload }: Pick<DesiredExposure, "workload">): Pod[] {
    const there = [...this.pods.items.values()].filter((pod) => pod.namespace === workload.namespace);
    return there.filter((pod) => isOf(workload, pod));
  }

  servicesOf(label: string, value: string): Service[] {
    return [...this.services.items.values()].filter((each) => each.labels[label] === value);
  }

  slicesOf(label: string, value: string): EndpointSlice[] {
    return [...this.endpointSlices.items.values()].filter((each) => each.labels[label] === value);
  }

  /** complaintOf returns a controller's warning about a Service, or null. */
  complaintOf({ uid }: Pick<Service, "uid">): string | null {
    return this.#complaints.latestOf(uid);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#all(), this.#complaints].map((each) => each.stop()));
  }
}

/** isOf reports whether a pod belongs to a workload. */
export function isOf(workload: DesiredExposure["workload"], pod: Pick<Pod, "namespace" | "labels" | "owner">): boolean {
  if (pod.namespace !== workload.namespace) return false;
  if (workload.kind === "selector")
    return Object.entries(workload.selector ?? {}).every(([key, value]) => pod.labels[key] === value);
  const owner = ownerOf(pod);
  return owner !== null && owner.kind === workload.kind && owner.name === workload.name;
}
