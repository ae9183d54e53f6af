import type { TaskKind } from "@fairlead/services";

/** ClaimedTask is one object that this controller, and no other, reconciles until its lease ends. */
export type ClaimedTask = {
  kind: TaskKind;
  objectId: string;
  lease: string;
  /** How often it had been asked for when it was claimed; more by the end means: look again. */
  requests: bigint;
  /** Which try this is, since the last one that went well or the last mark. */
  attempts: number;
};

/** LeaseLost says that the object may be somebody else's by now: stop, and write nothing. */
export class LeaseLost extends Error {
  constructor(why: string) {
    super(`the lease is lost: ${why}`);
    this.name = "LeaseLost";
  }
}
