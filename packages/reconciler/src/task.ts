import type { TaskKind } from "@fairlead/services";

/** ClaimedTask is one object that only this controller reconciles until its lease ends. */
export type ClaimedTask = {
  kind: TaskKind;
  objectId: string;
  lease: string;
  /** How often it had been marked when it was claimed; a higher count by the end means: reconcile again. */
  requests: bigint;
  /** The number of this attempt since the last success or the last mark. */
  attempts: number;
};

/** LeaseLost means that another controller may own the object by now: stop, and write nothing. */
export class LeaseLost extends Error {
  constructor(why: string) {
    super(`the lease is lost: ${why}`);
    this.name = "LeaseLost";
  }
}
