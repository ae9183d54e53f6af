import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { SeriesPoint } from "@fairlead/domain/series";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestOrganization } from "../testing/index.ts";
import { insertSamples } from "./insert-samples.sql.ts";
import { Partitions } from "./partitions.sql.ts";
import { querySeries } from "./query.sql.ts";
import { SeriesIds } from "./series-ids.sql.ts";

const start = Date.parse("2026-11-20T10:00:00Z");
const minuteMs = 60_000;

let database: TestDatabase;
let ctx: ServiceContext;
let subjectId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());
beforeEach(() => {
  subjectId = newId("loadBalancer");
});

describe("sums", () => {
  it("add up all series of a subject on request, step by step", async () => {
    const [one, two] = await series(2);
    await insert([
      { id: one, at: start, value: 1 },
      { id: two, at: start, value: 10 },
      { id: one, at: start + 5_000, value: 2 },
      { id: two, at: start + 5_000, value: 20 },
      { id: one, at: start + 10_000, value: 3 },
    ]);
    const answer = await ask({ from: start, to: start + 10 * minuteMs, maxPoints: 300 }, start + 10 * minuteMs);
    expect(answer.series.map(({ subjectId, labels }) => ({ subjectId, labels }))).toEqual([{ subjectId, labels: {} }]);
    expect(answer.series[0]?.points).toEqual(sums([11, 22, 23], 5_000));
  });

  it("add up sources that each report at their own moments, less often than there are steps", async () => {
    const ids = await series(3);
    const points = ids.flatMap((id, i) =>
      range(90).map((n) => ({
        id,
        value: 10 ** i,
        at: start - 30_000 + n * 10_000 + i * 3_300 + ((n * 37) % 11) * 100,
      })),
    );
    await insert(points);
    for (const [maxPoints, stepMs] of [
      [182, 5_000],
      [17, minuteMs],
    ] as const) {
      const now = start + 14 * minuteMs + 31_000;
      const answer = await ask({ from: start, to: start + 15 * minuteMs, maxPoints }, now);
      expect(answer.resolutionMs).toBe(stepMs);
      const found = answer.series[0]?.points ?? [];
      expect(found.map((point) => [point.avg, point.min, point.max])).toEqual(found.map(() => [111, 111, 111]));
      expect(found[0]?.at.getTime()).toBe(start);
    }
  });

  it("count sources that reported shortly before a range of a few seconds, as charts request it", async () => {
    const [often, rarely] = await series(2);
    await insert([
      ...range(18).map((n) => ({ id: often, value: 1, at: start + n * 5_000 })),
      ...range(5).map((n) => ({ id: rarely, value: 10, at: start + n * 20_000 })),
    ]);
    const from = start + 70_000;
    const answer = await ask({ from, to: from + 10_000, maxPoints: 4 }, from + 10_000);
    expect(answer.series[0]?.points.map((point) => point.avg)).toEqual([11, 11]);
  });

  it("drop a source that fell silent from the sum, and leave a gap where none reported", async () => {
    const [one, two] = await series(2);
    const points = [0, 10, 20, 30, 40, 50, 300, 310].map((second) => ({
      id: one,
      value: 1,
      at: start + second * 1_000,
    }));
    const silent = [2, 12, 22].map((second) => ({ id: two, value: 10, at: start + second * 1_000 }));
    await insert([...points, ...silent]);
    const answer = await ask({ from: start, to: start + 10 * minuteMs, maxPoints: 122 }, start);
    expect(answer.series[0]?.points.map((point) => [(point.at.getTime() - start) / 1_000, point.avg])).toEqual([
      [0, 11],
      [10, 11],
      [20, 11],
      [30, 11],
      [40, 11],
      [50, 1],
      [300, 1],
      [310, 1],
    ]);
  });
});

describe("sums over agents", () => {
  const metric = "sessionHellosPerSecond" as const;
  const kinds = ["psk", "ticket", "id", "new"];
  const ofReplicas = (replicas: number) =>
    range(replicas).flatMap((replica) =>
      kinds.map((kind) => ({
        ...{ organizationId: ctx.organizationId, subjectId: replica % 2 ? subjectId : other, metric },
        labels: JSON.stringify(replica % 3 ? { agent: `agt_${replica}`, kind } : { kind, agent: `agt_${replica}` }),
        agentId: `agt_${replica}`,
      })),
    );
  let other: string;
  beforeEach(() => {
    other = newId("loadBalancer");
  });
  const request = (sumBy: "labels" | "series") => ({
    ...{ subjectIds: [subjectId, other], metrics: [metric], sumBy, maxPoints: 300 },
    ...{ from: new Date(start), to: new Date(start + 10 * minuteMs) },
  });

  it("are one for each metric and its other labels, of 1,000 replicas of several load balancers", async () => {
    const replicas = 1_000;
    const keys = ofReplicas(replicas);
    const ids: number[] = [];
    for (let at = 0; at < keys.length; at += 1_000)
      ids.push(...(await new SeriesIds().resolve(database.db, keys.slice(at, at + 1_000))).map(Number));
    await insert(
      ids.flatMap((id, i) => [0, 5_000].map((after) => ({ id, at: start + after, value: 10 ** (i % kinds.length) }))),
    );
    const then = { ...ctx, now: new Date(start + 10 * minuteMs) };
    await expect(querySeries(then, request("series"))).rejects.toThrow("more than 240 series");
    const { series: found } = await querySeries(then, request("labels"));
    expect(found.map((each) => [each.labels.kind, each.points.map(({ avg }) => avg)])).toEqual(
      [...kinds].sort().map((kind) => [kind, [0, 0].map(() => replicas * 10 ** kinds.indexOf(kind))]),
    );
    expect(found.every(({ labels }) => labels.agent === undefined)).toBe(true);
  });
});

async function ask(query: { from: number; to: number; maxPoints: number }, now: number) {
  const { from, to, maxPoints } = query;
  const request = {
    subjectIds: [subjectId],
    metrics: ["throughputBps" as const],
    sumBy: "subject" as const,
    maxPoints,
  };
  return querySeries({ ...ctx, now: new Date(now) }, { ...request, from: new Date(from), to: new Date(to) });
}

/** series are the reports of so many agents about the subject. */
async function series(count: number): Promise<[number, number, ...number[]]> {
  const keys = range(count).map((index) => ({
    organizationId: ctx.organizationId,
    subjectId,
    metric: "throughputBps",
    labels: JSON.stringify({ agent: `agt_${index}` }),
    agentId: `agt_${index}`,
  }));
  return (await new SeriesIds().resolve(database.db, keys)) as [number, number, ...number[]];
}

async function insert(points: readonly { id: number; at: number; value: number }[]): Promise<void> {
  const samples = {
    seriesIds: points.map((point) => point.id),
    atMs: points.map((point) => point.at),
    values: points.map((point) => point.value),
  };
  await new Partitions().ensureFor(database.db, "raw", samples.atMs);
  await inTransaction(database.db, (tx) => insertSamples(tx, samples, new Date(start)));
}

/** sums are evenly spaced points, of series that don't change within a step. */
function sums(values: number[], stepMs: number): SeriesPoint[] {
  return values.map((sum, i) => ({ at: new Date(start + i * stepMs), min: sum, avg: sum, max: sum }));
}

function range(count: number): number[] {
  return [...new Array(count).keys()];
}
