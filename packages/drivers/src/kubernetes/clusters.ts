import type { KubernetesAccess } from "@fairlead/domain";
import { connect, type KubernetesApi } from "./api.ts";
import { explainKubernetesError } from "./explain-error.ts";
import type { InCluster } from "./in-cluster.ts";
import { inTurns } from "./turns.ts";
import { ClusterView, type Sight } from "./view.ts";

/** KubernetesCluster is one that is spoken to: its API, and what is seen there. */
export type KubernetesCluster = {
  id: string;
  name: string;
  api: KubernetesApi;
  view: ClusterView;
  /** Says in a sentence what is wrong with it, and the cure. */
  explain: (error: unknown, what: string) => Error;
};

/** AttachedCluster is one that shall be spoken to. It is another one by another digest. */
export type AttachedCluster = { id: string; name: string; digest: string; open: () => KubernetesAccess };

export type ClusterEars = {
  onSight: (clusterId: string, sight: Sight) => void;
  /** All of it was compared: something may have been missed before. */
  onWhole: (clusterId: string) => void;
  onTrouble: (clusterId: string, error: unknown | null) => void;
};

/** KubernetesClusters keeps a connection and a view to each cluster that is attached. One that is away slows no other. */
export class KubernetesClusters {
  readonly #kept = new Map<string, { digest: string; cluster: KubernetesCluster }>();
  readonly #ears: ClusterEars;
  readonly #inCluster: InCluster | null;

  constructor(ears: ClusterEars, inCluster: InCluster | null) {
    this.#ears = ears;
    this.#inCluster = inCluster;
  }

  find(id: string): KubernetesCluster | null {
    return this.#kept.get(id)?.cluster ?? null;
  }

  /** keep opens those that are new or reached otherwise now, closes those that are no more, and answers the ids it opened. */
  async keep(attached: readonly AttachedCluster[], onRefused: (id: string, error: unknown) => void): Promise<string[]> {
    const wanted = new Map(attached.map((each) => [each.id, each]));
    const closing = [...this.#kept].filter(([id, { digest }]) => wanted.get(id)?.digest !== digest);
    for (const [id] of closing) this.#kept.delete(id);
    const opened: string[] = [];
    for (const { id, name, digest, open } of attached) {
      if (this.#kept.has(id)) continue;
      try {
        this.#kept.set(id, { digest, cluster: this.#open(id, name, open()) });
        opened.push(id);
      } catch (error) {
        onRefused(id, error);
      }
    }
    await Promise.all(closing.map(([, { cluster }]) => close(cluster)));
    return opened;
  }

  #open(id: string, name: string, access: KubernetesAccess): KubernetesCluster {
    const { onSight, onWhole, onTrouble } = this.#ears;
    const api = connect(access, this.#inCluster);
    const view = new ClusterView(api, {
      onSight: (sight) => onSight(id, sight),
      onWhole: () => onWhole(id),
      onTrouble: (error) => onTrouble(id, error),
    });
    // What is written waits its turn; what is watched must not wait for it.
    return {
      id,
      name,
      api: inTurns(api),
      view,
      explain: (error, what) => explainKubernetesError(error, { what, access }),
    };
  }

  async stop(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(kept.map(({ cluster }) => close(cluster)));
  }
}

async function close({ api, view }: KubernetesCluster): Promise<void> {
  await view.stop();
  await api.close();
}
