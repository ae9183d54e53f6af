import { inTransaction, type Tx } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import type { SubjectKind } from "@fairlead/domain/event";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { withoutUndefined } from "../control/without-undefined.ts";
import { type BookTable, checkRoom } from "./check-room.sql.ts";

/** EntryKind is a kind of price book entry: how it is stored, what can be changed, and how it appears in the audit. */
export type EntryKind<Entry, Change extends object> = {
  table: BookTable;
  subjectKind: SubjectKind;
  load: (tx: Tx, organizationId: string, id: string) => Promise<Entry>;
  /** The fields that a user entered, which is what the audit keeps. */
  changeOf: (entry: Entry) => Change;
  nameOf: (change: Change) => string;
  /** The error for a duplicate, and its field. */
  twice: { field: string; message: (change: Change) => string };
};

/** createEntry stores a new entry with insert, which returns its id. */
export async function createEntry<Entry, Change extends object>(
  ctx: ServiceContext,
  kind: EntryKind<Entry, Change>,
  spec: Change,
  insert: (tx: Tx) => Promise<{ id: string }>,
): Promise<Entry> {
  authorize(ctx, "price-book:write");
  return inTransaction(ctx.db, async (tx) => {
    await checkRoom(tx, ctx, kind.table);
    const { id } = await onDuplicate(insert(tx), [kind.twice.field], kind.twice.message(spec));
    const after = await kind.load(tx, ctx.organizationId, id);
    const values = kind.changeOf(after);
    await record(tx, ctx, kind, { id, verb: "create", of: values, before: null, after: values });
    return after;
  });
}

/** updateEntry corrects an entry, retroactively. An update to the current values changes nothing. */
export async function updateEntry<Entry, Change extends object>(
  ctx: ServiceContext,
  kind: EntryKind<Entry, Change>,
  id: string,
  input: { [Field in keyof Change]?: Change[Field] | undefined },
  save: (tx: Tx, spec: Change) => Promise<unknown>,
): Promise<Entry> {
  authorize(ctx, "price-book:write");
  const { organizationId } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, kind.table, organizationId, id);
    const entry = await kind.load(tx, organizationId, id);
    const before = kind.changeOf(entry);
    const spec: Change = { ...before, ...withoutUndefined(input) };
    if (canonicalJson(spec) === canonicalJson(before)) return entry;
    await onDuplicate(save(tx, spec), [kind.twice.field], kind.twice.message(spec));
    const after = await kind.load(tx, organizationId, id);
    const values = kind.changeOf(after);
    await record(tx, ctx, kind, { id, verb: "update", of: values, before, after: values });
    return after;
  });
}

/** deleteEntry deletes an entry, also for the past. */
export async function deleteEntry<Entry, Change extends object>(
  ctx: ServiceContext,
  kind: EntryKind<Entry, Change>,
  id: string,
  remove: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  authorize(ctx, "price-book:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, kind.table, ctx.organizationId, id);
    const before = kind.changeOf(await kind.load(tx, ctx.organizationId, id));
    await remove(tx);
    await record(tx, ctx, kind, { id, verb: "delete", of: before, before, after: null });
  });
}

function record<Entry, Change extends object>(
  tx: Tx,
  ctx: ServiceContext,
  { subjectKind, nameOf }: EntryKind<Entry, Change>,
  change: { id: string; verb: string; of: Change; before: Change | null; after: Change | null },
): Promise<void> {
  const { id, verb, of, before, after } = change;
  const subject = { subjectKind, subjectId: id, subjectName: nameOf(of), clusterId: null };
  return recordChange(tx, ctx, { action: `${subjectKind}.${verb}`, ...subject, before, after });
}
