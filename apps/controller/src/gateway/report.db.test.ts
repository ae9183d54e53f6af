import { Code, ConnectError } from "@connectrpc/connect";
import { Limit } from "@fairlead/agent-protocol";
import { querySeries } from "@fairlead/services";
import { silentLog } from "@fairlead/telemetry";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMeters } from "../meters/index.ts";
import { type GatewayStage, setGatewayStage } from "./testing/gateway-stage.ts";
import { cpuPoint, type TestAgent } from "./testing/test-agent.ts";

let stage: GatewayStage;
beforeAll(async () => {
  stage = await setGatewayStage();
});
afterAll(() => stage.close());

describe("reports", () => {
  it("are stored when they are answered: status, facts, figures and samples", async () => {
    const agent = await stage.enroll();
    const at = new Date();
    const series = [
      cpuPoint(0.25, at),
      { ...cpuPoint(1_000, at), metric: "memoryUsedBytes" },
      { ...cpuPoint(4_000, at), metric: "memoryTotalBytes" },
      { ...cpuPoint(7, at), metric: "interfaceReceiveBps", labels: { interface: "eth0" } },
    ];
    const info = { version: "1.2.3", roles: ["node"] } as never;
    const answer = await agent.report({ series, info, observedRevision: 0n });
    expect(answer).toMatchObject({ rejectedPoints: 0n, newestRevision: 0n });
    expect(await statusOf(agent)).toMatchObject({
      version: "1.2.3",
      sequence: 1n,
      cpuUtilizationRatio: 0.25,
      memoryUsedRatio: 0.25,
      load1: null,
    });
    expect(await pointsOf(agent)).toEqual([0.25]);
  });

  it("repeated, change nothing; out of order, they add samples but never move the status back", async () => {
    const agent = await stage.enroll();
    const at = new Date();
    const earlier = new Date(at.getTime() - 60_000);
    await agent.report({ sequence: 5, observedRevision: 2n, series: [cpuPoint(0.5, at)] });
    await agent.report({ sequence: 5, observedRevision: 2n, series: [cpuPoint(0.9, at)] });
    await agent.report({ sequence: 4, observedRevision: 1n, series: [cpuPoint(0.1, earlier)] });
    expect(await statusOf(agent)).toMatchObject({ sequence: 5n, observedRevision: 2, cpuUtilizationRatio: 0.5 });
    expect(await pointsOf(agent)).toEqual([0.1, 0.5]);
    expect(await stage.database.db.event.count({ where: { subjectId: agent.nodeId, reason: "AgentReporting" } })).toBe(
      1,
    );
  });

  it("change the browser's view only with news: one feed entry per changed revision, none per ordinary report", async () => {
    const agent = await stage.enroll();
    const feed = () => stage.database.db.feedEntry.count({ where: { subjectId: agent.nodeId } });
    await agent.report({ observedRevision: 1n });
    const before = await feed();
    for (let count = 0; count < 5; count++) await agent.report({ observedRevision: 1n, series: [cpuPoint(count)] });
    expect(await feed()).toBe(before);
    await agent.report({ observedRevision: 2n });
    expect(await feed()).toBe(before + 1);
    const events = await stage.database.db.event.findMany({
      where: { subjectId: agent.nodeId },
      orderBy: { at: "asc" },
    });
    expect(events.map((event) => event.reason)).toEqual(["AgentEnrolled", "AgentReporting", "ConfigApplied"]);
  });

  it("of an agent that keeps starting anew are told as flapping, once, and each of its warnings is told", async () => {
    const agent = await stage.enroll();
    for (let boot = 0; boot < 7; boot++)
      await agent.report({ bootId: `boot-${boot}`, sequence: 1, warnings: [`warning ${boot}`] });
    const events = await stage.database.db.event.findMany({ where: { subjectId: agent.nodeId } });
    const counts = Object.entries(Object.groupBy(events, (event) => event.reason)).map(([reason, of]) => [
      reason,
      of?.length,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      AgentEnrolled: 1,
      AgentReporting: 1,
      AgentRestarted: 3,
      AgentRestartedFlapping: 1,
      AgentWarning: 6,
    });
  });

  it("that are malformed are refused, and harm nobody else's", async () => {
    const [good, bad] = [await stage.enroll(), await stage.enroll()];
    const outcomes = await Promise.all([
      good.report({ series: [cpuPoint(0.5)] }).then(() => "stored"),
      bad.report({ series: [cpuPoint(Number.NaN)] }).catch((error) => ConnectError.from(error).code),
      bad.report({ bootId: "" }).catch((error) => ConnectError.from(error).code),
    ]);
    expect(outcomes).toEqual(["stored", Code.InvalidArgument, Code.InvalidArgument]);
  });

  it("that the database refuses are told from those of other agents in the same batch", async () => {
    await stage.database.db.$executeRaw`
      CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF NEW.value = 666 THEN RAISE data_exception; END IF; RETURN NEW; END'`;
    await stage.database.db.$executeRaw`
      CREATE TRIGGER poison BEFORE INSERT ON sample FOR EACH ROW EXECUTE FUNCTION refuse_poison()`;
    const many = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => stage.enroll()));
    const outcomes = await Promise.all(
      many.map((agent, index) =>
        agent.report({ series: [cpuPoint(index === 3 ? 666 : 1)] }).then(
          () => "stored",
          (error) => ConnectError.from(error).code,
        ),
      ),
    );
    await stage.database.db.$executeRaw`DROP TRIGGER poison ON sample`;
    expect(outcomes).toEqual(many.map((_, index) => (index === 3 ? Code.InvalidArgument : "stored")));
    for (const [index, agent] of many.entries()) expect(await pointsOf(agent)).toEqual(index === 3 ? [] : [1]);
  });

  it("count the points that can't be kept", async () => {
    const agent = await stage.enroll();
    const answer = await agent.report({
      series: [
        cpuPoint(1, new Date(0)),
        cpuPoint(1, new Date(Date.now() + 3_600_000)),
        { ...cpuPoint(1), metric: "new" },
      ],
    });
    expect(answer.rejectedPoints).toBe(3n);
  });

  it("that are larger than one may be are refused for good, and not as if they came at a bad moment", async () => {
    const agent = await stage.enroll();
    const atMs = [...new Array(Limit.MESSAGE_BYTES / 8).keys()].map((index) => BigInt(Date.now() - index));
    const refused = await agent
      .report({ series: [{ ...cpuPoint(1), atMs, values: atMs.map(() => 1) }] })
      .catch((error) => ConnectError.from(error));
    expect(refused).toMatchObject({ code: Code.ResourceExhausted });
    expect((refused as ConnectError).metadata.get("retry-after")).toBeNull();
  });

  it("as large as the protocol allows are taken", async () => {
    const agent = await stage.enroll();
    const each = Limit.REPORT_POINTS / Limit.REPORT_SERIES;
    const now = Date.now();
    const atMs = [...new Array(each).keys()].map((index) => BigInt(now - index * 1_000));
    const series = [...new Array(Limit.REPORT_SERIES).keys()].map((index) => ({
      ...cpuPoint(1),
      metric: "interfaceReceiveBps",
      labels: { interface: `an-interface-${index}` },
      atMs,
      values: atMs.map((at) => Number(at) / 7),
    }));
    expect((await agent.report({ series })).rejectedPoints).toBe(0n);
  });

  it("of a subject that invents labels without end stop making series", async () => {
    const agent = await stage.enroll();
    const invent = (from: number) => ({
      series: [...new Array(1_500).keys()].map((index) => ({
        ...cpuPoint(1),
        metric: "interfaceReceiveBps",
        labels: { interface: `veth${from + index}` },
      })),
    });
    expect((await agent.report(invent(0))).rejectedPoints).toBe(0n);
    expect((await agent.report(invent(1_500))).rejectedPoints).toBe(1_000n);
    expect(await stage.database.db.series.count({ where: { subjectId: agent.nodeId } })).toBe(2_000);
  });

  it("survive a gateway that dies between storing and answering: once in effect", async () => {
    const doomed = await stage.start();
    const agent = stage.reconnect(await stage.enroll(), doomed);
    const at = new Date();
    const unanswered = agent
      .report({ sequence: 1, observedRevision: 1n, series: [cpuPoint(0.5, at)] })
      .catch(() => "cut");
    await until(async () => (await pointsOf(agent)).length === 1);
    agent.close();
    await doomed.stop();
    await unanswered;
    const again = stage.reconnect(agent, stage.gateway);
    await again.report({ sequence: 1, observedRevision: 1n, series: [cpuPoint(0.5, at)] });
    await again.report({ sequence: 2, observedRevision: 1n, series: [cpuPoint(0.6, new Date(at.getTime() + 5_000))] });
    expect(await pointsOf(again)).toEqual([0.5, 0.6]);
    expect(await stage.database.db.event.count({ where: { subjectId: agent.nodeId, reason: "AgentReporting" } })).toBe(
      1,
    );
  });

  it("survive the loss of every connection to the database: refused as weather, stored once when they come again", async () => {
    const several = await Promise.all([1, 2, 3, 4].map(() => stage.enroll()));
    const began = Date.now();
    const seen = new Set<string>();
    const reporting = several.map(async (agent) => {
      for (let number = 1; number <= 25; number++)
        for (let stored = false; !stored; ) {
          const series = [cpuPoint(number, new Date(began + number))];
          stored = await agent.report({ sequence: number, series }).then(
            () => true,
            (error) => {
              seen.add(Code[ConnectError.from(error).code] ?? "");
              return false;
            },
          );
        }
    });
    for (let cut = 0; cut < 10; cut++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await cutConnections(stage.database.url);
    }
    await Promise.all(reporting);
    for (const agent of several) expect(await pointsOf(agent)).toHaveLength(25);
    expect([...seen].filter((code) => code !== "Unavailable")).toEqual([]);
  });

  it("that wait when the gateway stops are stored and answered, not dropped", async () => {
    const stopping = await stage.start();
    const several = await Promise.all([1, 2, 3].map(async () => stage.reconnect(await stage.enroll(), stopping)));
    for (const agent of several) await agent.report({});
    const answers = several.map((agent) => agent.report({ series: [cpuPoint(0.5)] }));
    await new Promise((resolve) => setTimeout(resolve, 20)); // they are in, and linger for company
    await stopping.stop();
    await Promise.all(answers);
    for (const agent of several) expect(await pointsOf(agent)).toEqual([0.5]);
  });

  it("are turned away when the database can't keep up, rather than held without bound; those that wait are stored", async () => {
    const fresh = await stage.start(); // one that has not learned yet how much this database takes
    const agent = stage.reconnect(await stage.enroll(), fresh);
    await agent.report({});
    const now = Date.now();
    const { series } = await stage.database.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE sample IN EXCLUSIVE MODE`;
        const outcomes = [...new Array(40).keys()].map((number) => {
          const atMs = [...new Array(5_000).keys()].map((index) => BigInt(now - (number * 5_000 + index)));
          return agent.report({ series: [{ ...cpuPoint(1), atMs, values: atMs.map(() => 1) }] }).then(
            () => "stored",
            (error) => ConnectError.from(error),
          );
        });
        const refused = await Promise.race(outcomes);
        expect(refused).toMatchObject({ code: Code.ResourceExhausted });
        expect((refused as ConnectError).metadata.get("retry-after")).toBe("5");
        return { series: outcomes };
      },
      { timeout: 30_000 },
    );
    const settled = await Promise.all(series);
    const stored = settled.filter((outcome) => outcome === "stored").length;
    expect(stored).toBeGreaterThan(10);
    expect((await pointsOf(agent)).length).toBe(stored * 5_000);
    await fresh.stop();
  });

  it("need no partition made before them", async () => {
    const agent = await stage.enroll();
    await agent.report({ series: [cpuPoint(1)] });
    const [{ name }] = (await stage.database.db.$queryRaw`
      SELECT relname AS name FROM pg_class WHERE relname LIKE 'sample_20%' AND relkind = 'r' ORDER BY 1 DESC LIMIT 1`) as [
      { name: string },
    ];
    await stage.database.db.$executeRawUnsafe(`DROP TABLE ${name}`);
    await agent.report({ series: [cpuPoint(2)] });
    expect(await pointsOf(agent)).toEqual([2]);
  });

  it("keep storing while meters roll up, make partitions and drop them", async () => {
    const meters = await startMeters({ ...stage.database, log: silentLog, rollUpEveryMs: 5, tidyEveryMs: 5 });
    const agent = await stage.enroll();
    const now = Date.now();
    for (let round = 0; round < 20; round++) {
      const atMs = [...new Array(50).keys()].map((index) => BigInt(now - (round * 50 + index) * 60_000));
      await agent.report({ series: [{ ...cpuPoint(1), atMs, values: atMs.map(() => 1) }] });
    }
    await meters.stop();
    const answer = await querySeries(
      { ...stage.ctx, now: new Date() },
      {
        subjectIds: [agent.nodeId],
        metrics: ["cpuUtilizationRatio"],
        from: new Date(now - 1_000 * 60_000),
        to: new Date(now),
        maxPoints: 1_000,
      },
    );
    expect(answer.series[0]?.points.length).toBeGreaterThan(450);
  });
});

function statusOf(agent: TestAgent) {
  return stage.database.db.nodeStatus.findUniqueOrThrow({ where: { agentId: agent.agentId } });
}

async function pointsOf(agent: TestAgent): Promise<number[]> {
  const rows = await stage.database.db.$queryRaw<{ value: number }[]>`
    SELECT value FROM sample JOIN series ON series.id = series_id
    WHERE subject_id = ${agent.nodeId} AND metric = 'cpuUtilizationRatio' ORDER BY at`;
  return rows.map((row) => row.value);
}

/** What a restart of PostgreSQL, or a fail-over, does to its clients. */
async function cutConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await client.end();
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}
