import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { planSeries, type QuerySeries, type SeriesPoint } from "@fairlead/domain/series";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestOrganization } from "../testing/index.ts";
import { correctSamples } from "./correct-samples.sql.ts";
import { insertSamples, type Samples } from "./insert-samples.sql.ts";
import { partitionsBetween, tables } from "./partitioned-table.ts";
import { Partitions } from "./partitions.sql.ts";
import { querySeries } from "./query.sql.ts";
import { dueRollups, rollUp } from "./roll-up.sql.ts";
import { SeriesIds } from "./series-ids.sql.ts";

const start = Date.parse("2026-11-20T10:00:00Z");
const minuteMs = 60_000;
const hourMs = 3_600_000;

let database: TestDatabase;
let ctx: ServiceContext;
let partitions: Partitions;
let subjectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());
beforeEach(async () => {
  subjectId = newId("node");
  partitions = new Partitions();
  await database.db.$executeRaw`TRUNCATE sample, sample_minute, sample_hour, rollup_task, series`;
});

describe("roll-ups and charts", () => {
  it("equal the aggregate of the raw samples, in whatever order, with repeats and delays, they arrived", async () => {
    for (const seed of [1, 2]) await playRandomly(seed);
  });

  it("include late samples, and recalculate only their series", async () => {
    const [one, two] = await series(2);
    await insert({ seriesIds: [one, two], atMs: [start, start], values: [1, 10] }, start);
    await rollUpAll(start + 2 * minuteMs);
    await insert({ seriesIds: [one], atMs: [start + 1_000], values: [3] }, start + 30 * minuteMs);
    const tasks = await database.db.$queryRaw`SELECT series_ids FROM rollup_task WHERE resolution = 'minute'`;
    expect(tasks).toEqual([{ series_ids: [one] }]);
    await rollUpAll(start + 31 * minuteMs);
    expect(await database.db.$queryRaw`SELECT series_id, count, sum, min, max FROM sample_minute ORDER BY 1`).toEqual([
      { series_id: one, count: 2, sum: 4, min: 1, max: 3 },
      { series_id: two, count: 1, sum: 10, min: 10, max: 10 },
    ]);
  });

  it("include corrected samples, and are not requested for unchanged ones", async () => {
    const [one, two] = await series(2);
    const samples = { seriesIds: [one, two], atMs: [start, start], values: [1, 10] };
    const correct = (values: number[], now: number) =>
      inTransaction(database.db, (tx) => correctSamples(tx, { ...samples, values }, new Date(now)));
    await insert(samples, start);
    // Minutes first, and the hour a little later.
    for (const at of [2 * hourMs, 2 * hourMs + minuteMs]) await rollUpAll(start + at);
    await correct([1, 10], start + 3 * hourMs);
    expect(await database.db.rollupTask.count()).toBe(0);
    await correct([1, 7], start + 3 * hourMs);
    expect(await database.db.$queryRaw`SELECT series_ids FROM rollup_task`).toEqual([{ series_ids: [two] }]);
    for (const at of [4 * hourMs, 4 * hourMs + minuteMs]) await rollUpAll(start + at);
    for (const table of ["sample_minute", "sample_hour"])
      expect(await database.db.$queryRawUnsafe(`SELECT count, sum, min, max FROM ${table} ORDER BY series_id`)).toEqual(
        [
          { count: 1, sum: 1, min: 1, max: 1 },
          { count: 1, sum: 7, min: 7, max: 7 },
        ],
      );
  });

  it("include what moves between minutes of an hour, though count and sum stay", async () => {
    const [one] = await series(1);
    const samples = { seriesIds: [one, one], atMs: [start, start + minuteMs] };
    await insert({ ...samples, values: [5, 1] }, start + minuteMs);
    for (const at of [2 * hourMs, 2 * hourMs + minuteMs]) await rollUpAll(start + at);
    await inTransaction(database.db, (tx) =>
      correctSamples(tx, { ...samples, values: [3, 3] }, new Date(start + 3 * hourMs)),
    );
    for (const at of [4 * hourMs, 4 * hourMs + minuteMs]) await rollUpAll(start + at);
    expect(await database.db.$queryRaw`SELECT count, sum, min, max, minutes FROM sample_hour`).toEqual([
      { count: 2, sum: 6, min: 3, max: 3, minutes: 2 },
    ]);
  });

  it("count nothing twice when several controllers roll up at once", async () => {
    const ids = await series(5);
    const points = range(600).flatMap((at) => ids.map((id) => ({ id, at: start + at * 10_000 })));
    await insert(
      { seriesIds: points.map((p) => p.id), atMs: points.map((p) => p.at), values: points.map(() => 1) },
      start,
    );
    const controllers = range(3).map(() => rollUpAll(start + 5 * hourMs));
    await Promise.all(controllers);
    await rollUpAll(start + 6 * hourMs);
    const [{ minutes, hours }] = (await database.db.$queryRaw`
      SELECT (SELECT sum(count)::int FROM sample_minute) AS minutes, (SELECT sum(count)::int FROM sample_hour) AS hours`) as [
      { minutes: number; hours: number },
    ];
    expect({ minutes, hours }).toEqual({ minutes: points.length, hours: points.length });
    expect(await database.db.rollupTask.count()).toBe(0);
  });

  it("lose no sample whose transaction is still open when its minute falls due", async () => {
    const [id] = await series(1);
    await insert({ seriesIds: [id], atMs: [start], values: [1] }, start);
    await inTransaction(database.db, async (tx) => {
      await insertSamples(tx, { seriesIds: [id], atMs: [start + 1], values: [1] }, new Date(start));
      await rollUpAll(start + 2 * minuteMs);
      expect(await database.db.sampleMinute.count()).toBe(0);
    });
    await rollUpAll(start + 2 * minuteMs);
    expect(await database.db.sampleMinute.findFirst()).toMatchObject({ count: 2 });
  });

  it("show a gap as a gap, and no series without points", async () => {
    const [id] = await series(2);
    const atMs = [0, 5, 10, 300, 305].map((second) => start + second * 1_000);
    await insert({ seriesIds: atMs.map(() => id), atMs, values: [1, 2, 3, 4, 5] }, start);
    const answer = await ask({ from: start, to: start + 10 * minuteMs, maxPoints: 300 }, start + 10 * minuteMs);
    expect(answer.series).toHaveLength(1);
    expect(answer.series[0]).toMatchObject({ intervalMs: 5_000, unit: "ratio", labels: { interface: "eth0" } });
    expect(answer.series[0]?.points.map((point) => point.at.getTime())).toEqual(atMs);
  });

  it("contain only the requesting organisation's series", async () => {
    const [id] = await series(1);
    await insert({ seriesIds: [id], atMs: [start], values: [1] }, start);
    const otherOwner = await createTestOrganization(database.db);
    const query = { subjectIds: [subjectId], metrics: ["cpuUtilizationRatio" as const], maxPoints: 100 };
    const when = { from: new Date(start - hourMs), to: new Date(start + hourMs) };
    expect((await querySeries({ ...ctx, now: new Date(start) }, { ...query, ...when })).series).toHaveLength(1);
    expect((await querySeries({ ...otherOwner, now: new Date(start) }, { ...query, ...when })).series).toEqual([]);
  });
});

describe("partitions", () => {
  it("are created once by any number of processes, and again when they were dropped", async () => {
    const wanted = partitionsBetween(tables.raw, new Date("2027-03-01T00:00:00Z"), new Date("2027-03-01T03:00:00Z"));
    await Promise.all(range(4).map(() => new Partitions().ensure(database.db, wanted)));
    await partitions.ensure(database.db, wanted);
    await database.db.$executeRaw`DROP TABLE sample_2027030101`;
    partitions.forgetAll();
    await partitions.ensure(database.db, wanted);
    expect(await names("sample_20270301%")).toEqual(wanted.map((each) => each.name));
  });

  it("are dropped by retention, but raw samples only once they are rolled up", async () => {
    const [id] = await series(1);
    const old = Date.parse("2026-06-01T00:30:00Z");
    await insert({ seriesIds: [id], atMs: [old], values: [7] }, old);
    const later = new Date(old + 40 * 24 * hourMs);
    expect(await partitions.dropOutlived(database.db, later)).toEqual([]);
    await rollUpAll(old + hourMs);
    expect(await partitions.dropOutlived(database.db, new Date(old + 26 * hourMs))).toEqual(["sample_2026060100"]);
    await rollUpAll(old + 2 * hourMs);
    const dropped = await Promise.all([1, 2].map(() => partitions.dropOutlived(database.db, later)));
    expect(dropped.flat()).toContain("sample_minute_20260601");
    expect(await names("sample_minute_202606%")).toEqual([]);
    expect(await database.db.sampleHour.findMany()).toMatchObject([{ seriesId: id, count: 1, sum: 7 }]);
  });

  it("keep every plan to the partitions of its range", async () => {
    const hours = partitionsBetween(tables.raw, new Date(start), new Date(start + 5 * hourMs));
    await partitions.ensure(database.db, hours);
    const plan = await database.db.$queryRaw<{ "QUERY PLAN": string }[]>`
      EXPLAIN SELECT * FROM sample WHERE series_id = 1 AND at >= ${new Date(start)} AND at < ${new Date(start + minuteMs)}`;
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain(hours[0]?.name);
    expect(text).not.toContain(hours[1]?.name);
  });
});

type Point = { id: number; at: number; value: number };

async function playRandomly(seed: number): Promise<void> {
  await database.db.$executeRaw`TRUNCATE sample, sample_minute, sample_hour, rollup_task`;
  const random = randomFrom(seed);
  const ids = await series(3);
  const all = new Map<string, Point>();
  let now = start;
  for (let round = 0; round < 40; round++) {
    now += random() * 8 * minuteMs;
    const batch = range(1 + Math.floor(random() * 60)).map((): Point => {
      const id = ids[Math.floor(random() * ids.length)] ?? 0;
      const age = random() < 0.8 ? random() * minuteMs : random() * 3 * hourMs;
      return { id, at: Math.floor(now - age), value: Math.round(random() * 8e3) / 8 }; // eighths add up exactly
    });
    const repeated = [...all.values()].filter(() => random() < 0.05);
    for (const point of batch) if (!all.has(`${point.id} ${point.at}`)) all.set(`${point.id} ${point.at}`, point);
    const sent = [...batch, ...repeated];
    await insert(
      { seriesIds: sent.map((p) => p.id), atMs: sent.map((p) => p.at), values: sent.map((p) => p.value) },
      now,
    );
    if (random() < 0.7) await rollUpAll(now + random() * 2 * minuteMs);
    if (random() < 0.4) await expectChartsToEqual([...all.values()], now, random);
  }
  await rollUpAll(now + 2 * hourMs);
  await rollUpAll(now + 4 * hourMs);
  await expectChartsToEqual([...all.values()], now, random);
}

async function expectChartsToEqual(points: Point[], now: number, random: () => number): Promise<void> {
  for (const spanMs of [5 * minuteMs, 3 * hourMs, 200 * hourMs]) {
    const to = now - random() * hourMs;
    const query = { from: to - spanMs, to, maxPoints: 10 + Math.floor(random() * 500) };
    const answer = await ask(query, now);
    const plan = planSeries(
      { from: new Date(query.from), to: new Date(query.to), maxPoints: query.maxPoints },
      new Date(now),
    );
    const expected = bruteForce(points, plan.from.getTime(), plan.to.getTime(), plan.stepMs);
    expect(answer.resolutionMs).toBe(plan.stepMs);
    expect(answer.series.map((each) => each.points)).toEqual(expected);
    for (const each of answer.series) expect(each.points.length).toBeLessThanOrEqual(query.maxPoints);
  }
}

function bruteForce(points: Point[], from: number, to: number, stepMs: number): SeriesPoint[][] {
  const byId = Map.groupBy(
    points.filter((point) => point.at >= from && point.at < to),
    (point) => point.id,
  );
  return [...byId.keys()]
    .sort((a, b) => a - b)
    .map((id) => {
      const steps = Map.groupBy(byId.get(id) ?? [], (point) => Math.floor(point.at / stepMs) * stepMs);
      return [...steps.keys()]
        .sort((a, b) => a - b)
        .map((at) => {
          const values = (steps.get(at) ?? []).map((point) => point.value);
          const avg = values.reduce((sum, value) => sum + value, 0) / values.length;
          return { at: new Date(at), min: Math.min(...values), avg, max: Math.max(...values) };
        });
    });
}

async function ask(query: { from: number; to: number; maxPoints: number }, now: number) {
  const request: QuerySeries = {
    ...query,
    subjectIds: [subjectId],
    metrics: ["cpuUtilizationRatio"],
    from: new Date(query.from),
    to: new Date(query.to),
  };
  return querySeries({ ...ctx, now: new Date(now) }, request);
}

async function series(count: number): Promise<[number, number, ...number[]]> {
  const keys = range(count).map((index) => ({
    organizationId: ctx.organizationId,
    subjectId,
    metric: "cpuUtilizationRatio",
    labels: JSON.stringify({ interface: `eth${index}` }),
    agentId: null,
  }));
  const ids = await new SeriesIds().resolve(database.db, keys);
  return ids as [number, number, ...number[]];
}

async function insert(samples: Samples, now: number): Promise<void> {
  await partitions.ensureFor(database.db, "raw", samples.atMs);
  await inTransaction(database.db, (tx) => insertSamples(tx, samples, new Date(now)));
}

async function rollUpAll(now: number): Promise<void> {
  const own = new Partitions();
  for (let progress = true; progress; ) {
    progress = false;
    for (const task of await dueRollups(database.db, new Date(now)))
      if (await rollUp(database.db, own, task, new Date(now))) progress = true;
  }
}

async function names(pattern: string): Promise<string[]> {
  const rows = await database.db.$queryRaw<{ relname: string }[]>`
    SELECT relname FROM pg_class WHERE relname LIKE ${pattern} AND relkind = 'r' ORDER BY 1`;
  return rows.map((row) => row.relname);
}

function range(count: number): number[] {
  return [...new Array(count).keys()];
}

function randomFrom(seed: number): () => number {
  let state = seed * 7_919;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
