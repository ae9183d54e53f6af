import type { Db } from "@fairlead/db";
import { sweepAccess } from "../access/sweep.sql.ts";
import { sweepMappingChanges, sweepMapReads } from "../address-map/index.ts";
import { inBatches } from "../control/in-batches.ts";
import { sweepRefreshes } from "../cost/refresh/index.ts";
import { sweepExperiments } from "../experiment/index.ts";
import { sweepMoves } from "../move/sweep.sql.ts";
import { sweepTransitions } from "../routing/sweep-transitions.sql.ts";
import { sweepUpdates } from "../routing/sweep-updates.sql.ts";
import { sweepQuestions } from "../routing-table/question.sql.ts";
import { sweepSamples } from "../traffic-flow/client-samples.sql.ts";
import { sweepUsage } from "../usage/sweep.sql.ts";

const dayMs = 24 * 3_600_000;
/** How long records that only users read are kept. An audit must outlive the year it is about. */
export const recordRetentionMs = {
  event: 90 * dayMs,
  auditEntry: 400 * dayMs,
  enrollmentToken: 7 * dayMs,
  invitation: 30 * dayMs,
  agentQuestion: 60_000,
  priceRefresh: 90 * dayMs,
} as const;

/**
 * sweepRecords deletes expired events, audit entries, enrolment tokens, invitations, unanswered questions, updates of
 * routes, experiments, moves, changes of address maps, usage, client networks, reads of prices and leftovers of access, a bounded number at a
 * time, and returns how many. It serves every organisation, so it checks no permission: only the controller calls it.
 */
export async function sweepRecords(db: Db, now: Date): Promise<number> {
  const before = (kind: keyof typeof recordRetentionMs) => new Date(now.getTime() - recordRetentionMs[kind]);
  const events = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM event WHERE id IN (SELECT id FROM event WHERE at < ${before("event")} ORDER BY at LIMIT ${most})`,
  );
  const auditEntries = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM audit_entry WHERE id IN (
        SELECT id FROM audit_entry WHERE at < ${before("auditEntry")} ORDER BY at LIMIT ${most})`,
  );
  const tokens = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM enrollment_token WHERE id IN (
        SELECT id FROM enrollment_token WHERE expires_at < ${before("enrollmentToken")} LIMIT ${most})`,
  );
  const invitations = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM invitation WHERE id IN (
        SELECT id FROM invitation WHERE expires_at < ${before("invitation")} LIMIT ${most})`,
  );
  const questions = await sweepQuestions(db, before("agentQuestion"));
  const updates = await sweepUpdates(db, now);
  const experiments = await sweepExperiments(db, now);
  const moves = await sweepMoves(db, now);
  const transitions = await sweepTransitions(db, now);
  const mappingChanges = await sweepMappingChanges(db, now);
  const usage = await sweepUsage(db, now);
  const samples = await sweepSamples(db, now);
  const refreshes = await sweepRefreshes(db, before("priceRefresh"));
  const records =
    events +
    auditEntries +
    samples +
    updates +
    experiments +
    moves +
    transitions +
    mappingChanges +
    usage +
    refreshes +
    (await sweepMapReads(db, now));
  return records + tokens + invitations + questions + (await sweepAccess(db, now));
}
