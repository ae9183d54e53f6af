import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { SubjectKind } from "@fairlead/domain/event";
import type { Occurrences } from "./refusal-queue.ts";

/** A refused sign-in or request, about an object of an organisation. */
export type CountedRefusal = {
  organizationId: string;
  action: "session.refuse" | "api-key.refuse";
  actor: { kind: "api-key" | "anonymous" | "user"; id: string; name: string };
  subject: { kind: SubjectKind; id: string; name: string };
  reason: string;
  address: string | null;
  /** More about the first refusal of the minute. */
  details?: Record<string, string>;
  /** Whether each subscriber has an entry of its own. */
  bySubscriber: boolean;
};

/** lockOrigins waits for other transactions that count refusals of the same kind. */
export async function lockOrigins(tx: Tx, kind: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`fairlead.refusals.${kind}`}, 0))`;
}

type Keys = { own: string; others: string; minute: number };

/** readOrigins returns how many subscribers have an entry in this minute, and whether this one has. */
export async function readOrigins(
  tx: Tx,
  { organizationId, action, subject, reason, details }: CountedRefusal,
  { own, others, minute }: Keys,
): Promise<{ hasOwn: boolean; count: number }> {
  const [since, until] = [new Date(minute * 60_000), new Date((minute + 1) * 60_000)];
  const [row] = await tx.$queryRaw<{ hasOwn: boolean; count: number }[]>`
    SELECT coalesce(bool_or(count_key = ${own}), false) AS "hasOwn",
      (count(*) FILTER (WHERE count_key <> ${others}))::int4 AS count
    FROM audit_entry
    WHERE organization_id = ${organizationId} AND at >= ${since} AND at < ${until} AND subject_id = ${subject.id}
      AND action = ${action} AND count_key IS NOT NULL
      AND after->>'reason' = ${reason} AND after->>'method' IS NOT DISTINCT FROM ${details?.method ?? null}::text`;
  return row ?? { hasOwn: false, count: 0 };
}

/** addToCounted adds to the entry with this key, or creates it. Two processes may do so at the same time. */
export async function addToCounted(
  tx: Pick<Tx, "$executeRaw">,
  entry: CountedRefusal & { countKey: string },
  { count, first, last }: Occurrences,
): Promise<void> {
  const { organizationId, action, actor, subject, reason, address, details, countKey } = entry;
  const lastAt = last.toISOString();
  const after = JSON.stringify({ reason, ...details, address, count, lastAt });
  await tx.$executeRaw`
    INSERT INTO audit_entry AS a (
      id, organization_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, after, count_key
    ) VALUES (
      ${newId("auditEntry", first)}, ${organizationId}, ${first}, ${actor.kind}, ${actor.id}, ${actor.name}, ${action},
      ${subject.kind}, ${subject.id}, ${subject.name}, ${after}::jsonb, ${countKey}
    )
    ON CONFLICT (count_key) DO UPDATE
    SET after = a.after || jsonb_build_object('count', (a.after->>'count')::bigint + ${count}::bigint, 'lastAt', ${lastAt}::text)`;
}
