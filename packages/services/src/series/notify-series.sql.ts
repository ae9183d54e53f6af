import type { Tx } from "@fairlead/db";

/** Carries the id of a subject with deleted series, or "*" for many. A hint: gateways also reload what they cache. */
export const seriesChannel = "fairlead_series";
export const manySubjects = "*";

const fewSubjects = 64;

/**
 * notifySeries makes gateways forget the series of these subjects. Call it in the transaction that deletes series: it takes
 * effect when that commits.
 */
export async function notifySeries(tx: Tx, subjectIds: readonly string[]): Promise<void> {
  const distinct = [...new Set(subjectIds)];
  if (distinct.length === 0) return;
  const payloads = distinct.length > fewSubjects ? [manySubjects] : distinct;
  await tx.$executeRaw`SELECT pg_notify(${seriesChannel}, payload) FROM unnest(${payloads}::text[]) AS payload`;
}
