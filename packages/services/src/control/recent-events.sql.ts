import type { Tx } from "@fairlead/db";
import { flappingReason, flapWindowMs } from "@fairlead/domain/event";

const mostRead = 20;

/** Which earlier events count as the same. Without a message the reason alone decides. */
export type SameEvents = {
  organizationId: string;
  subjectId: string;
  reason: string;
  message: string | null;
  at: Date;
};

export type RecentEvent = { index: number; at: Date; isFlapping: boolean };

/**
 * selectRecentEvents returns, for each given event by its index, when the same was recorded within the window, the
 * latest first.
 */
export async function selectRecentEvents(tx: Tx, events: readonly SameEvents[]): Promise<RecentEvent[]> {
  const of = <T>(pick: (each: SameEvents) => T) => events.map(pick);
  return tx.$queryRaw<RecentEvent[]>`
    SELECT (position - 1)::int AS index, recent.at, recent.reason = flapping AS "isFlapping"
    FROM unnest(${of((e) => e.organizationId)}::text[], ${of((e) => e.subjectId)}::text[], ${of((e) => e.reason)}::text[],
      ${of((e) => flappingReason(e.reason))}::text[], ${of((e) => e.message)}::text[],
      ${of((e) => new Date(e.at.getTime() - flapWindowMs))}::timestamptz[])
      WITH ORDINALITY AS given (organization_id, subject_id, reason, flapping, message, since, position)
    CROSS JOIN LATERAL (
      SELECT at, reason FROM event e
      WHERE e.organization_id = given.organization_id AND e.subject_id = given.subject_id AND e.at > given.since
        AND e.reason IN (given.reason, given.flapping) AND (given.message IS NULL OR starts_with(e.message, given.message))
      ORDER BY at DESC LIMIT ${mostRead}
    ) AS recent
    ORDER BY 1, 2 DESC`;
}
