import type { KubernetesAccess } from "@fairlead/domain/kubernetes";
import { detailOf, explainKubernetesError } from "./access/explain-error.ts";
import type { KubernetesCalls } from "./api/calls.ts";
import { connect } from "./api/connect.ts";
import type { KubernetesError } from "./api/error.ts";
import type { InCluster } from "./api/in-cluster.ts";
import { Turns } from "./api/turns.ts";
import { type ResourceMetrics, readMetrics } from "./metrics/read-metrics.ts";
import { ClusterView, type Sight } from "./view/view.ts";

/** KubernetesCluster is a connected cluster: its calls, and the view from its watches. */
export type KubernetesCluster = {
  id: string;
  name: string;
  calls: KubernetesCalls;
  view: ClusterView;
  /** Reads the API metrics.k8s.io: figures of all nodes, and of the pods in these namespaces. */
  readMetrics: (namespaces: readonly string[], signal: AbortSignal) => Promise<ResourceMetrics>;
  /** The apiserver's own words about a refusal, on one line and without credentials. */
  detailOf: (error: KubernetesError) => string;
  /** Describes an error with its fix. */
  explain: (error: unknown, what: string) => Error;
};

/** AttachedCluster is a cluster to connect to. A changed digest means changed access. */
export type AttachedCluster = { id: string; name: string; digest: string; open: () => KubernetesAccess };

export type ClusterListeners = {
  onSight: (clusterId: string, sight: Sight) => void;
  /** Called after a full list: changes may have been missed before. */
  onWhole: (clusterId: string) => void;
  onTrouble: (clusterId: string, error: unknown | null) => void;
};

/** KubernetesClusters keeps a connection and a view for each attached cluster. An unreachable one doesn't slow down others. */
export class KubernetesClusters {
  readonly #kept = new Map<string, { digest: string; cluster: KubernetesCluster; close: () => Promise<void> }>();
  readonly #listeners: ClusterListeners;
  readonly #inCluster: InCluster | null;

  constructor(listeners: ClusterListeners, inCluster: InCluster | null) {
    this.#listeners = listeners;
    this.#inCluster = inCluster;
  }

  find(id: string): KubernetesCluster | null {
    return this.#kept.get(id)?.cluster ?? null;
  }

  /** keep opens new and changed clusters, closes removed ones, and returns the IDs that it opened. */
  async keep(attached: readonly AttachedCluster[], onRefused: (id: string, error: unknown) => void): Promise<string[]> {
    const wanted = new Map(attached.map((each) => [each.id, each]));
    const closing = [...this.#kept].filter(([id, { digest }]) => wanted.get(id)?.digest !== digest);
    for (const [id] of closing) this.#kept.delete(id);
    const opened: string[] = [];
    for (const { id, name, digest, open } of attached) {
      if (this.#kept.has(id)) continue;
      try {
        this.#kept.set(id, { digest, ...this.#open(id, name, open()) });
        opened.push(id);
      } catch (error) {
        onRefused(id, error);
      }
    }
    await Promise.all(closing.map(([, { close }]) => close()));
    return opened;
  }

  #open(
    id: string,
    name: string,
    access: KubernetesAccess,
  ): { cluster: KubernetesCluster; close: () => Promise<void> } {
    const { onSight, onWhole, onTrouble } = this.#listeners;
    const api = connect(access, { inCluster: this.#inCluster, turns: new Turns() });
    const view = new ClusterView(api.reads, {
      onSight: (sight) => onSight(id, sight),
      onWhole: () => onWhole(id),
      onTrouble: (error) => onTrouble(id, error),
    });
    return {
      cluster: {
        id,
        name,
        calls: api.calls,
        view,
        readMetrics: (namespaces, signal) => readMetrics(api.reads, namespaces, signal),
        detailOf: (error) => detailOf(error, access),
        explain: (error, what) => explainKubernetesError(error, { what, access }),
      },
      async close() {
        await view.stop();
        await api.close();
      },
    };
  }

  async stop(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(kept.map(({ close }) => close()));
  }
}
