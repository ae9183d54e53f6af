import { type Db, inTransaction } from "@fairlead/db";
import type { ReportedInstance } from "@fairlead/domain/instance";
import type { ClusterView, Pod, Sight } from "@fairlead/drivers/kubernetes";
import {
  forgetInstances,
  markCluster,
  markExposures,
  markSeen,
  recordInstances,
  type SeenObject,
} from "@fairlead/services";
import type { Log } from "@fairlead/telemetry";
import { seenOf, toInstance } from "./seen-of.ts";

export type InstanceWriterOptions = {
  db: Db;
  cluster: { id: string; organizationId: string };
  view: () => ClusterView | null;
  log: Log;
  now?: () => Date;
};

/** Pods of a workload change together, so they are written together. */
const gatherMs = 10;
const retryMs = 1_000;
const mostPerStatement = 500;

/**
 * InstanceWriter stores what a watch sees in one cluster: first which exposures are affected, then which instances exist.
 * After a failed write, or a gap in the watch, it stores the whole view again.
 */
export class InstanceWriter {
  readonly #options: InstanceWriterOptions;
  #seen: SeenObject[] = [];
  #exposureIds = new Set<string>();
  #pods = new Map<string, Pod | null>();
  #mustResync = false;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #stopped = false;

  constructor(options: InstanceWriterOptions) {
    this.#options = options;
  }

  note(sight: Sight): void {
    const { objects, exposureIds, pods, isAnywhere = false } = seenOf(sight);
    if (isAnywhere) this.#mustResync = true;
    this.#seen.push(...objects);
    for (const id of exposureIds) this.#exposureIds.add(id);
    for (const [name, pod] of pods) this.#pods.set(name, pod);
    this.#soon(gatherMs);
  }

  /** resync stores the whole view: changes may have been missed. */
  resync(): void {
    this.#mustResync = true;
    this.#soon(gatherMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#writing;
  }

  #soon(ms: number): void {
    if (this.#stopped || this.#timer || this.#writing) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#writing = this.#write().then((again) => {
        this.#writing = null;
        if (again !== null) this.#soon(again);
      });
    }, ms);
  }

  /** Returns after how many ms there is more to write, or null. Never throws. */
  async #write(): Promise<number | null> {
    const { db, cluster, log, now = () => new Date() } = this.#options;
    const [seen, exposureIds, pods, mustResync] = [this.#seen, [...this.#exposureIds], this.#pods, this.#mustResync];
    this.#seen = [];
    this.#exposureIds = new Set();
    this.#pods = new Map();
    this.#mustResync = false;
    try {
      await inTransaction(db, async (tx) => {
        if (mustResync) return markCluster(tx, cluster.id);
        await markSeen(tx, cluster.id, seen);
        await markExposures(tx, cluster.id, exposureIds);
      });
      if (mustResync) await this.#writeAll(now());
      else await this.#writePods(pods, now());
    } catch (err) {
      log.warn("could not store what a cluster's watch reported; storing the whole view again soon", {
        err,
        cluster: cluster.id,
      });
      this.#mustResync = true;
      return retryMs;
    }
    return this.#seen.length + this.#exposureIds.size + this.#pods.size > 0 || this.#mustResync ? 0 : null;
  }

  async #writeAll(now: Date): Promise<void> {
    const view = this.#options.view();
    if (!view?.isWhole()) return;
    const pods = [...view.pods.items.values()];
    await this.#writePods(new Map(pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod])), now);
    const { db, cluster } = this.#options;
    await inTransaction(db, (tx) =>
      forgetInstances(
        tx,
        cluster.id,
        pods.map((pod) => `${pod.namespace}/${pod.name}`),
      ),
    );
  }

  async #writePods(pods: ReadonlyMap<string, Pod | null>, now: Date): Promise<void> {
    const { db, cluster } = this.#options;
    const changed: ReportedInstance[] = [];
    const gone: string[] = [];
    for (const [name, pod] of pods) {
      const instance = pod && toInstance(pod);
      if (instance) changed.push(instance);
      else gone.push(name);
    }
    for (let from = 0; from < Math.max(changed.length, gone.length); from += mostPerStatement)
      await inTransaction(db, (tx) =>
        recordInstances(
          tx,
          {
            cluster,
            changed: changed.slice(from, from + mostPerStatement),
            gone: gone.slice(from, from + mostPerStatement),
          },
          now,
        ),
      );
  }
}
