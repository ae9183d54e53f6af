import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { resolutions, sampleWindow } from "@fairlead/domain/series";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { revokeAgent } from "../agent/index.ts";
import { type FiguresStage, figuresOf, setFiguresStage } from "../gateway/report/testing/figures-stage.ts";
import type { TestNode } from "../testing/index.ts";
import { endSeries } from "./end-series.sql.ts";
import { deleteOrphanedSeries } from "./orphans.sql.ts";
import { querySeries } from "./query.sql.ts";
import { SeriesIds } from "./series-ids.sql.ts";

const hourMs = 3_600_000;
let stage: FiguresStage;
beforeEach(async () => {
  await stage?.database.drop();
  stage = await setFiguresStage();
});
afterAll(() => stage.database.drop());

const after = (ms: number) => new Date(Date.now() + ms);
const latencies = ["latencyMsP50", "latencyMsP99", "firstByteMsP50", "firstByteMsP99"] as const;
const labels = () => ({ loadBalancer: stage.balancerId });
const series = () => latencies.map((metric) => figuresOf(labels(), [1], { metric, value: 5 }));
const chart = (metrics: readonly (typeof latencies)[number][]) =>
  querySeries(
    { ...stage.ctx, now: new Date() },
    {
      subjectIds: [stage.balancerId],
      metrics: [...metrics],
      from: after(-hourMs),
      to: after(hourMs / 60),
      maxPoints: 60,
    },
  );
const endsOf = async ({ agentId }: TestNode) => {
  const rows = await stage.database.db.series.findMany({ where: { agentId }, select: { endedAt: true } });
  return rows.map((each) => each.endedAt);
};

/** withGap does something between the two statements of the sweep's transaction. */
const withGap = (db: Db, work: () => Promise<void>): Db =>
  new Proxy(db, {
    get(target, property) {
      if (property !== "$transaction") return Reflect.get(target, property);
      return (run: (tx: Tx) => Promise<unknown>) => target.$transaction((tx) => run(pausing(tx, work)));
    },
  });
const pausing = (tx: Tx, work: () => Promise<void>): Tx =>
  new Proxy(tx, {
    get(target, property) {
      if (property !== "$executeRaw") return Reflect.get(target, property);
      return async (...query: Parameters<Tx["$executeRaw"]>) => {
        await work();
        return target.$executeRaw(...query);
      };
    },
  });
const expectBlocked = async () =>
  expect(
    await stage.database.db.$queryRaw`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  ).toHaveLength(1);

describe("series of agents", () => {
  it("end when these are removed: after 200, charts show the living ones, and new points are accepted", async () => {
    const { db } = stage.database;
    const more = Array.from({ length: 7 }, (_, i) =>
      figuresOf({ ...labels(), reason: `r${i}` }, [1], { metric: "dropsPerSecond" }),
    );
    const living = await stage.join("living");
    await stage.place(1, living);
    expect(await stage.report(living, { series: series() })).toBe(0);
    for (let i = 0; i < 200; i++) {
      const agent = await stage.join(`node-${i}`);
      await stage.place(0, agent);
      expect(await stage.report(agent, { series: [...series(), ...more] }), `points of agent ${i}`).toBe(0);
      if (i % 2 === 0) await revokeAgent({ ...stage.ctx, now: new Date() }, agent.agentId);
      else await db.node.delete({ where: { id: agent.nodeId } });
    }
    expect(await db.series.count({ where: { subjectId: stage.balancerId } })).toBe(4 + 200 * 11);
    const last = await stage.join("last");
    await stage.place(0, last);
    expect(await stage.report(last, { series: [...series(), ...more] })).toBe(0);
    const answer = await chart(latencies);
    const shown = answer.series.filter((each) => [living, last].some(({ agentId }) => agentId === each.labels.agent));
    expect(shown.map((each) => each.points.length)).toEqual(Array(8).fill(1));
    // The rest of a chart's lines are those of the agents that were removed last.
    expect(answer.series).toHaveLength(240);
    const order = answer.series.map(({ metric }) => latencies.indexOf(metric as (typeof latencies)[number]));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it("are too many for a chart only if so many continue", async () => {
    const { db, ctx, balancerId } = { ...stage, db: stage.database.db };
    await db.$executeRaw`
      INSERT INTO series (organization_id, subject_id, metric, labels, agent_id)
      SELECT ${ctx.organizationId}, ${balancerId}, 'latencyMsP99', '{"agent":"' || n || '"}', n FROM generate_series(1, 241) AS n`;
    await expect(chart(["latencyMsP99"])).rejects.toThrow("more than 240 series");
    await db.series.updateMany({ where: { agentId: "7" }, data: { endedAt: new Date() } });
    expect((await chart(["latencyMsP99"])).series).toEqual([]);
  });

  it("end by the sweep if a report was stored while its agent was removed", async () => {
    const [one, two] = [await stage.join("one"), await stage.join("two")];
    for (const agent of [one, two]) {
      await stage.place(0, agent);
      await stage.report(agent, { series: series() });
    }
    await stage.database.db.node.delete({ where: { id: one.nodeId } });
    await stage.database.db.series.updateMany({ where: { agentId: one.agentId }, data: { endedAt: null } });
    const now = new Date();
    expect(await endSeries(stage.database.db, now)).toBe(4);
    expect([await endsOf(one), await endsOf(two)]).toEqual([Array(4).fill(now), Array(4).fill(null)]);
  });

  it("end when an agent left a balancer so long ago that no report can arrive, and continue when it returns", async () => {
    const { db } = stage.database;
    const [one, two] = [await stage.join("one"), await stage.join("two")];
    for (const [ordinal, agent] of [one, two].entries()) {
      await stage.place(ordinal, agent);
      await stage.report(agent, {
        series: [...series(), figuresOf({ ...labels(), backend: stage.backendId }, [1]), figuresOf({}, [1])],
      });
    }
    await stage.place(0, null);
    expect(await endSeries(db, after(sampleWindow.pastMs))).toBe(0);
    const { endedAt } = await db.formerReplica.findFirstOrThrow();
    expect(await endSeries(db, after(24 * hourMs))).toBe(5);
    const end = new Date(endedAt.getTime() + sampleWindow.futureMs);
    expect((await endsOf(one)).filter((each) => each !== null)).toEqual(Array(5).fill(end));
    expect(await endsOf(two)).toEqual(Array(6).fill(null));
    expect(await db.formerReplica.count()).toBe(0);
    await stage.place(0, one);
    expect(await endsOf(one)).toEqual(Array(6).fill(null));
    // A record of a replica that returned ends nothing.
    await db.formerReplica.create({ data: { agentId: one.agentId, loadBalancerId: stage.balancerId, endedAt } });
    expect(await endSeries(db, after(24 * hourMs))).toBe(0);
  });

  it("continue if a replica returns while the sweep runs, whichever is first", async () => {
    const { db } = stage.database;
    const agent = await stage.join("agent");
    await stage.place(0, agent);
    await stage.report(agent, { series: series() });
    const later = after(24 * hourMs);
    const { agentId, nodeId } = agent;
    const place = async (tx: Tx) => {
      await tx.replica.updateMany({
        where: { loadBalancerId: stage.balancerId, ordinal: 0 },
        data: { agentId, nodeId },
      });
    };

    await stage.place(0, null);
    await inTransaction(db, async (tx) => {
      await place(tx);
      expect(await endSeries(db, later)).toBe(0);
    });
    expect(await endsOf(agent)).toEqual(Array(4).fill(null));

    await stage.place(0, null);
    await inTransaction(db, async (tx) => {
      let placed: Promise<void> | undefined;
      const sweep = withGap(db, async () => {
        placed = place(tx);
        await Promise.race([placed, vi.waitFor(expectBlocked, { timeout: 60_000 })]);
      });
      expect(await endSeries(sweep, later)).toBe(4);
      await placed;
    });
    expect(await endsOf(agent)).toEqual(Array(4).fill(null));
    expect(await db.formerReplica.count()).toBe(0);
  });

  it("are deleted once no chart needs them: percentiles after 30 days, sums after two years", async () => {
    const { db } = stage.database;
    const agent = await stage.join("agent");
    await stage.place(0, agent);
    await stage.report(agent, { series: [...series(), figuresOf(labels(), [1])] });
    const { minute, hour } = resolutions;
    expect(await deleteOrphanedSeries(db, after(3 * hour.retentionMs))).toBe(0);
    await db.node.delete({ where: { id: agent.nodeId } });
    expect(await deleteOrphanedSeries(db, after(minute.retentionMs))).toBe(0);
    expect(await deleteOrphanedSeries(db, after(minute.retentionMs + hourMs))).toBe(4);
    expect(await deleteOrphanedSeries(db, after(hour.retentionMs))).toBe(0);
    expect(await deleteOrphanedSeries(db, after(hour.retentionMs + hourMs))).toBe(1);
  });
});

describe("SeriesIds", () => {
  it("caches no number that was read before its series was deleted", async () => {
    const { db } = stage.database;
    const { organizationId } = stage.ctx;
    const key = { organizationId, subjectId: stage.balancerId, metric: "load1", labels: "{}", agentId: null };
    const ids = new SeriesIds();
    const [old] = await new SeriesIds().resolve(db, [key]);
    let isFirst = true;
    const deleting = new Proxy(db, {
      get(target, property) {
        if (property !== "$queryRaw") return Reflect.get(target, property);
        return async (...query: Parameters<Db["$queryRaw"]>) => {
          const rows = await target.$queryRaw(...query);
          if (isFirst) {
            isFirst = false;
            await target.series.deleteMany();
            ids.forget(key.subjectId);
          }
          return rows;
        };
      },
    });
    const [id] = await ids.resolve(deleting, [key]);
    expect(id).not.toBe(old);
    expect(await db.series.findMany({ select: { id: true } })).toEqual([{ id }]);
  });
});
