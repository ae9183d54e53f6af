import type { Tx } from "@fairlead/db";
import { differs } from "@fairlead/domain";
import type { ServiceContext } from "../context.ts";
import { type RecordedChange, recordChange } from "./record-change.ts";
import { recordEvent } from "./record-event.ts";

type SpecChange = RecordedChange & { before: object; after: object };

/** recordSpecChange records who changed which fields, in the audit log and among the events, which charts mark. */
export async function recordSpecChange(tx: Tx, ctx: ServiceContext, change: SpecChange): Promise<void> {
  const { subjectKind, subjectId, subjectName, clusterId } = change;
  const fields = changedFields(change.before, change.after);
  await recordEvent(tx, ctx.organizationId, {
    at: ctx.now,
    reason: "SpecChanged",
    message: `${ctx.actor.name} changed ${fields.join(", ")} of ${subjectName}.`,
    ...{ subjectKind, subjectId, subjectName, clusterId },
  });
  await recordChange(tx, ctx, change);
}

/** changedFields names the fields that differ, and of a field that is an object on both sides, its own fields. */
export function changedFields(before: object, after: object): string[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((name) => {
    const [old, next] = [was.get(name), is.get(name)];
    if (!differs(old, next)) return [];
    if (!isObject(old) || !isObject(next)) return [name];
    return changedFields(old, next).map((own) => `${name}.${own}`);
  });
}

const fieldsOf = (value: object) => new Map<string, unknown>(Object.entries(value));

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
