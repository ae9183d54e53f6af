import { type Db, inTransaction } from "@fairlead/db";
import { canonicalJson, type SeenItem } from "@fairlead/domain";
import type { ClusterView } from "@fairlead/drivers/kubernetes";
import { forgetItems, recordItems, selectItems } from "@fairlead/services";
import type { Log } from "@fairlead/telemetry";
import { itemsOf } from "./items-of.ts";

export type InventoryOptions = {
  db: Db;
  cluster: { id: string; organizationId: string };
  view: () => ClusterView | null;
  log: Log;
  now?: () => Date;
};

/** Only people wait for it, and a workload that starts changes with each of its pods. */
const gatherMs = 1_000;
/** What is stored may be somebody else's word by now: another controller's, or a backup's. */
const compareEveryMs = 60_000;
/** Of one statement. */
const most = 500;

/** Inventory writes down what is in one cluster, for people. No exposure depends on it. */
export class Inventory {
  readonly #options: InventoryOptions;
  #written: Map<string, SeenItem> | null = null;
  #comparedAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #isNews = false;
  #stopped = false;

  constructor(options: InventoryOptions) {
    this.#options = options;
  }

  /** note has the inventory written soon: something in the cluster is another than before. */
  note(): void {
    this.#isNews = true;
    if (this.#stopped || this.#timer || this.#writing) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#isNews = false;
      this.#writing = this.#write().then((isWritten) => {
        this.#writing = null;
        if (this.#isNews || !isWritten) this.note();
      });
    }, gatherMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#writing;
  }

  /** It never throws, and answers whether all is written. */
  async #write(): Promise<boolean> {
    const { db, cluster, view, log, now = () => new Date() } = this.#options;
    const whole = view();
    // What is seen by halves would be taken for gone; once all is seen, this is called again.
    if (!whole?.isWhole()) return true;
    try {
      const at = now();
      if (!this.#written || at.getTime() - this.#comparedAt >= compareEveryMs) {
        this.#written = keyed(await selectItems(db, cluster.id));
        this.#comparedAt = at.getTime();
      }
      const before = this.#written;
      const after = keyed(itemsOf(whole));
      const changed = [...after].filter(
        ([key, item]) => canonicalJson(before.get(key) ?? null) !== canonicalJson(item),
      );
      const gone = [...before].filter(([key]) => !after.has(key)).map(([, item]) => item);
      for (let from = 0; from < changed.length; from += most)
        await inTransaction(db, (tx) =>
          recordItems(
            tx,
            cluster,
            changed.slice(from, from + most).map(([, item]) => item),
            at,
          ),
        );
      await inTransaction(db, (tx) => forgetItems(tx, cluster.id, gone));
      this.#written = after;
      return true;
    } catch (err) {
      log.warn("could not write down what is in a cluster; trying again", { err, cluster: cluster.id });
      this.#written = null;
      return false;
    }
  }
}

function keyed(items: readonly SeenItem[]): Map<string, SeenItem> {
  return new Map(items.map((item) => [`${item.kind} ${item.namespace}/${item.name}`, item]));
}
