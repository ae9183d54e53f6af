import { type Db, inTransaction } from "@fairlead/db";
import type { ReportedInstance } from "@fairlead/domain";
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

export type NotebookOptions = {
  db: Db;
  cluster: { id: string; organizationId: string };
  view: () => ClusterView | null;
  log: Log;
  now?: () => Date;
};

/** What comes together, as a workload's pods do, is written together. */
const gatherMs = 10;
const retryMs = 1_000;
/** Of one statement. */
const most = 500;

/**
 * Notebook writes down what is seen in one cluster: which exposures it concerns, at once, and then which instances there
 * are. What it fails to write it looks up whole, as after a time of not having seen.
 */
export class Notebook {
  readonly #options: NotebookOptions;
  #seen: SeenObject[] = [];
  #exposureIds = new Set<string>();
  #pods = new Map<string, Pod | null>();
  #isBehind = false;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #stopped = false;

  constructor(options: NotebookOptions) {
    this.#options = options;
  }

  note(sight: Sight): void {
    const { objects, exposureIds, pods, isAnywhere = false } = seenOf(sight);
    if (isAnywhere) this.#isBehind = true;
    this.#seen.push(...objects);
    for (const id of exposureIds) this.#exposureIds.add(id);
    for (const [name, pod] of pods) this.#pods.set(name, pod);
    this.#soon(gatherMs);
  }

  /** behind has everything looked up: something may have been missed. */
  behind(): void {
    this.#isBehind = true;
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

  /** It answers how soon there is more to write, and never throws. */
  async #write(): Promise<number | null> {
    const { db, cluster, log, now = () => new Date() } = this.#options;
    const [seen, exposureIds, pods, isBehind] = [this.#seen, [...this.#exposureIds], this.#pods, this.#isBehind];
    this.#seen = [];
    this.#exposureIds = new Set();
    this.#pods = new Map();
    this.#isBehind = false;
    try {
      await inTransaction(db, async (tx) => {
        if (isBehind) return markCluster(tx, cluster.id);
        await markSeen(tx, cluster.id, seen);
        await markExposures(tx, cluster.id, exposureIds);
      });
      if (isBehind) await this.#writeAll(now());
      else await this.#writePods(pods, now());
    } catch (err) {
      log.warn("could not write down what was seen of a cluster; looking all of it up soon", {
        err,
        cluster: cluster.id,
      });
      this.#isBehind = true;
      return retryMs;
    }
    return this.#seen.length + this.#exposureIds.size + this.#pods.size > 0 || this.#isBehind ? 0 : null;
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
    for (let from = 0; from < Math.max(changed.length, gone.length); from += most)
      await inTransaction(db, (tx) =>
        recordInstances(
          tx,
          { cluster, changed: changed.slice(from, from + most), gone: gone.slice(from, from + most) },
          now,
        ),
      );
  }
}
