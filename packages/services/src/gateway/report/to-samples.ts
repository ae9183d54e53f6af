import type { Db } from "@fairlead/db";
import type { Samples } from "../../series/insert-samples.sql.ts";
import type { SeriesIds } from "../../series/series-ids.sql.ts";
import type { AgentIdentity } from "../identity/identities.sql.ts";
import { SeriesSubjects } from "./balancer/series-subjects.sql.ts";
import type { CheckedReport, CheckedSeries } from "./check-report.ts";

/** ReportedSamples are the samples of a batch, and for each of its reports what is left out. */
export type ReportedSamples = { samples: Samples; refused: Refused[] };
/**
 * foreign is a load balancer that figures are about although the agent never had a replica of it, or null. late are those
 * that the agent lost before some of its figures of them were measured.
 */
export type Refused = { points: number; foreign: string | null; late: Set<string> };

type Received = { agent: AgentIdentity; report: CheckedReport };

/** toSamples finds the series of all reported points, and creates those that are new. */
export async function toSamples(
  { db, seriesIds }: { db: Db; seriesIds: SeriesIds },
  received: readonly Received[],
): Promise<ReportedSamples> {
  const subjects = await SeriesSubjects.load(db, received);
  const accepted: { key: Parameters<SeriesIds["resolve"]>[1][number]; points: Points; leftOut: Refused }[] = [];
  const refused = received.map(({ agent, report }) => {
    const leftOut: Refused = { points: 0, foreign: null, late: new Set() };
    for (const series of report.series) {
      const subject = subjects.of(agent, series);
      const points = subject ? notAfter(series, subject.untilMs) : none;
      leftOut.points += series.atMs.length - points.atMs.length;
      leftOut.foreign ??= subject ? null : subjects.foreign(agent, series);
      if (subject?.loadBalancerId && points.atMs.length < series.atMs.length) leftOut.late.add(subject.loadBalancerId);
      if (!subject || points.atMs.length === 0) continue;
      const { subjectId, labels, agentId } = subject;
      const key = { organizationId: agent.organizationId, subjectId, metric: series.metric, labels, agentId };
      accepted.push({ key, points, leftOut });
    }
    return leftOut;
  });
  const ids = await seriesIds.resolve(
    db,
    accepted.map(({ key }) => key),
  );
  const samples: Samples = { seriesIds: [], atMs: [], values: [] };
  accepted.forEach(({ points, leftOut }, index) => {
    const id = ids[index] ?? null;
    if (id === null) leftOut.points += points.atMs.length;
    else append(samples, id, points);
  });
  return { samples, refused };
}

type Points = Pick<CheckedSeries, "atMs" | "values">;
const none: Points = { atMs: [], values: [] };

function notAfter({ atMs, values }: Points, untilMs: number): Points {
  if (atMs.every((at) => at <= untilMs)) return { atMs, values };
  const kept = atMs.flatMap((at, index) => (at <= untilMs ? [index] : []));
  return { atMs: kept.map((index) => atMs[index] ?? 0), values: kept.map((index) => values[index] ?? 0) };
}

function append(samples: Samples, seriesId: number, { atMs, values }: Points): void {
  for (let index = 0; index < atMs.length; index++) {
    samples.seriesIds.push(seriesId);
    samples.atMs.push(atMs[index] ?? 0);
    samples.values.push(values[index] ?? 0);
  }
}
