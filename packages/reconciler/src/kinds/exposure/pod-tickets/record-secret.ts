import { inTransaction } from "@fairlead/db";
import { appendFeed, recordEvent } from "@fairlead/services";
import type { ReconcileContext } from "../../../reconciler.ts";
import { lockExposure } from "../intent.sql.ts";
import type { SecretContent, StoredSecret, WantedSecret } from "./pod-ticket-secret.sql.ts";

export type Written = {
  hasChanged: boolean;
  /** Why it wasn't written; empty if it has the keys. */
  problem: string;
};

/** recordSecret records which keys the Secret has, or why it doesn't have the newest ones. */
export async function recordSecret(
  id: string,
  { name, organizationId, clusterId, namespace, spec, revision }: WantedSecret,
  { stored, written }: { stored: StoredSecret; written: Written },
  ctx: ReconcileContext,
): Promise<void> {
  const { hasChanged, problem } = written;
  const content: SecretContent = { revision, software: spec.software, folder: spec.folder };
  const hadContent = Object.entries(content).every(([key, value]) => Reflect.get(stored, key) === value);
  const isRepaired = hasChanged && hadContent;
  const isSame = problem === stored.problem && (problem !== "" || hadContent);
  if (isSame && !isRepaired) return;
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return;
    const data = { problem, ...(problem === "" ? content : {}) };
    await tx.podTicketSecret.updateMany({ where: { exposureId: id, namespace, name: spec.secret }, data });
    const subject = { subjectKind: "exposure", subjectId: id, clusterId } as const;
    const happened = { at: ctx.now(), ...subject, subjectName: name };
    if (problem !== "" && problem !== stored.problem)
      await recordEvent(tx, organizationId, { ...happened, reason: "TicketSecretNotWritten", message: problem });
    else if (isRepaired)
      await recordEvent(tx, organizationId, {
        ...happened,
        reason: "TicketSecretRepaired",
        message: `The Secret ${namespace}/${spec.secret} was changed or removed by another program, and has its ticket keys again.`,
      });
    else await appendFeed(tx, organizationId, [subject]);
  });
}
