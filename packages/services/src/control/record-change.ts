import { Prisma, type Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { SubjectKind } from "@fairlead/domain/event";
import type { ServiceContext } from "../context.ts";
import { appendFeed } from "./append-feed.sql.ts";

export type RecordedChange = {
  /** noun.verb, such as "cluster.create" */
  action: string;
  subjectKind: SubjectKind;
  subjectId: string;
  subjectName: string;
  clusterId: string | null;
  before: object | null;
  after: object | null;
};

/** Who changed something, where and when: the part of a ServiceContext that a change needs. */
export type Author = Pick<ServiceContext, "actor" | "organizationId" | "now">;

/** recordChange writes the audit entry of a change and notifies live streams, in the transaction of the change. */
export async function recordChange(tx: Tx, ctx: Author, change: RecordedChange): Promise<void> {
  await tx.auditEntry.create({
    data: {
      id: newId("auditEntry", ctx.now),
      organizationId: ctx.organizationId,
      at: ctx.now,
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.id,
      actorName: ctx.actor.name,
      action: change.action,
      subjectKind: change.subjectKind,
      subjectId: change.subjectId,
      subjectName: change.subjectName,
      before: toJson(change.before),
      after: toJson(change.after),
    },
  });
  const { subjectKind, subjectId, clusterId } = change;
  await appendFeed(tx, ctx.organizationId, [{ subjectKind, subjectId, clusterId }]);
}

function toJson(value: object | null): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : (JSON.parse(JSON.stringify(value)) as Prisma.InputJsonValue);
}
