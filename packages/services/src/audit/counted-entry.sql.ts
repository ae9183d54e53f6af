import type { Db } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { SubjectKind } from "@fairlead/domain/event";

/** A refused sign-in or request, about an object of an organisation. */
export type CountedRefusal = {
  organizationId: string;
  action: "session.refuse" | "api-key.refuse";
  actor: { kind: "api-key" | "anonymous"; id: string; name: string };
  subject: { kind: SubjectKind; id: string; name: string };
  reason: string;
  address: string | null;
  /** More about the first refusal of the minute. */
  details?: Record<string, string>;
  /** Whether each subscriber has an entry of its own. */
  bySubscriber: boolean;
};

type Origins = { organizationId: string; action: string; subjectId: string; since: Date };

/** selectOrigins returns the keys of an object's counted entries since a moment. */
export async function selectOrigins(db: Db, origins: Origins, most: number): Promise<string[]> {
  const { organizationId, action, subjectId, since } = origins;
  const rows = await db.$queryRaw<{ countKey: string }[]>`
    SELECT count_key AS "countKey" FROM audit_entry
    WHERE organization_id = ${organizationId} AND at >= ${since} AND subject_id = ${subjectId} AND action = ${action}
      AND count_key IS NOT NULL
    LIMIT ${most}`;
  return rows.map(({ countKey }) => countKey);
}

/** addToCounted adds to the entry with this key, or creates it. Two processes may do so at the same time. */
export async function addToCounted(
  db: Db,
  entry: CountedRefusal & { countKey: string },
  count: number,
  now: Date,
): Promise<void> {
  const { organizationId, action, actor, subject, reason, address, details, countKey } = entry;
  const lastAt = now.toISOString();
  const after = JSON.stringify({ reason, ...details, address, count, lastAt });
  await db.$executeRaw`
    INSERT INTO audit_entry AS a (
      id, organization_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, after, count_key
    ) VALUES (
      ${newId("auditEntry", now)}, ${organizationId}, ${now}, ${actor.kind}, ${actor.id}, ${actor.name}, ${action},
      ${subject.kind}, ${subject.id}, ${subject.name}, ${after}::jsonb, ${countKey}
    )
    ON CONFLICT (count_key) DO UPDATE
    SET after = a.after || jsonb_build_object('count', (a.after->>'count')::bigint + ${count}::bigint, 'lastAt', ${lastAt}::text)`;
}
