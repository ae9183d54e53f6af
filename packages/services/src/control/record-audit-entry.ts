import { Prisma, type Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { SubjectKind } from "@fairlead/domain/event";
import type { ServiceContext } from "../context.ts";

/** Who changed something, where and when: the part of a ServiceContext that an audit entry needs. */
export type Author = Pick<ServiceContext, "organizationId" | "now"> & {
  actor: Pick<ServiceContext["actor"], "kind" | "id" | "name">;
};

export type NewAuditEntry = {
  /** noun.verb, such as "cluster.create" */
  action: string;
  subjectKind: SubjectKind;
  subjectId: string;
  subjectName: string;
  before: object | null;
  after: object | null;
};

/** recordAuditEntry writes an audit entry without notifying live streams, for what changes no object. */
export async function recordAuditEntry(tx: Tx, { actor, organizationId, now }: Author, entry: NewAuditEntry) {
  await tx.auditEntry.create({
    data: {
      id: newId("auditEntry", now),
      organizationId,
      at: now,
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name,
      action: entry.action,
      subjectKind: entry.subjectKind,
      subjectId: entry.subjectId,
      subjectName: entry.subjectName,
      before: toJson(entry.before),
      after: toJson(entry.after),
    },
  });
}

function toJson(value: object | null): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : (JSON.parse(JSON.stringify(value)) as Prisma.InputJsonValue);
}
