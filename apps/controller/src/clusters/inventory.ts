import { type Db, inTransaction } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import type { SeenItem } from "@fairlead/domain/cluster";
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

/** Only users see it, and a starting workload changes with each of its pods. */
const gatherMs = 1_000;
/** The stored state may have been changed by another controller or a backup. */
const compareEveryMs = 60_000;
/** Maximum rows per statement. */
const maxRows = 500;

/** Inventory stores the objects of one cluster, for users. No exposure depends on it. */
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

  /** note schedules a write after a change in the cluster. */
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

  /** It never throws, and returns whether everything is stored. */
  async #write(): Promise<boolean> {
    const { db, cluster, view, log, now = () => new Date() } = this.#options;
    const whole = view();
    // With an incomplete view, objects would look deleted; this is called again once the view is complete.
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
      for (let from = 0; from < changed.length; from += maxRows)
        await inTransaction(db, (tx) =>
          recordItems(
            tx,
            cluster,
            changed.slice(from, from + maxRows).map(([, item]) => item),
            at,
          ),
        );
      await inTransaction(db, (tx) => forgetItems(tx, cluster.id, gone));
      this.#written = after;
      return true;
    } catch (err) {
      log.warn("could not store the inventory of a cluster; trying again", { err, cluster: cluster.id });
      this.#written = null;
      return false;
    }
  }
}

function keyed(items: readonly SeenItem[]): Map<string, SeenItem> {
  return new Map(items.map((item) => [`${item.kind} ${item.namespace}/${item.name}`, item]));
}
