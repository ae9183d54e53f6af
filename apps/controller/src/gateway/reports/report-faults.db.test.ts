import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { querySeries } from "@fairlead/services";
import { silentLog } from "@fairlead/telemetry";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMeters } from "../../meters/index.ts";
import { type GatewayStage, setGatewayStage } from "../testing/gateway-stage.ts";
import { cpuPoint } from "../testing/test-agent.ts";

let stage: GatewayStage;
beforeAll(async () => {
  stage = await setGatewayStage();
});
afterAll(() => stage.close());

describe("reports during faults", () => {
  it("are counted once if a gateway crashes between storing and answering", async () => {
    const doomed = await stage.start();
    const agent = stage.reconnect(await stage.enroll(), doomed);
    const at = new Date();
    const unanswered = agent
      .report({ sequence: 1, observedRevision: 1n, series: [cpuPoint(0.5, at)] })
      .catch(() => "cut");
    await until(async () => (await stage.pointsOf(agent)).length === 1);
    agent.close();
    await doomed.stop();
    await unanswered;
    const again = stage.reconnect(agent, stage.gateway);
    await again.report({ sequence: 1, observedRevision: 1n, series: [cpuPoint(0.5, at)] });
    await again.report({ sequence: 2, observedRevision: 1n, series: [cpuPoint(0.6, new Date(at.getTime() + 5_000))] });
    expect(await stage.pointsOf(again)).toEqual([0.5, 0.6]);
    expect(await stage.database.db.event.count({ where: { subjectId: agent.nodeId, reason: "AgentReporting" } })).toBe(
      1,
    );
  });

  it("survive the loss of all database connections: rejected as temporary, then stored once", async () => {
    const several = await Promise.all([1, 2, 3, 4].map(() => stage.enroll()));
    const began = Date.now();
    const seen = new Set<string>();
    const reporting = several.map(async (agent) => {
      for (let number = 1; number <= 25; number++)
        for (let stored = false; !stored; ) {
          const series = [cpuPoint(number / 100, new Date(began + number))];
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
      await sleep(50);
      await cutConnections(stage.database.url);
    }
    await Promise.all(reporting);
    for (const agent of several) expect(await stage.pointsOf(agent)).toHaveLength(25);
    expect([...seen].filter((code) => code !== "Unavailable")).toEqual([]);
  });

  it("in the queue when the gateway stops are stored and answered", async () => {
    const stopping = await stage.start();
    const several = await Promise.all([1, 2, 3].map(async () => stage.reconnect(await stage.enroll(), stopping)));
    for (const agent of several) await agent.report({});
    const answers = several.map((agent) => agent.report({ series: [cpuPoint(0.5)] }));
    await sleep(20); // they are in the queue and wait for others
    await stopping.stop();
    await Promise.all(answers);
    for (const agent of several) expect(await stage.pointsOf(agent)).toEqual([0.5]);
  });

  it("are rejected when the database can't keep up, so that the queue is bounded; those in it are stored", async () => {
    const fresh = await stage.start(); // a new one, which has not measured this database yet
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
    expect((await stage.pointsOf(agent)).length).toBe(stored * 5_000);
    await fresh.stop();
  });

  it("don't need an existing partition", async () => {
    const agent = await stage.enroll();
    await agent.report({ series: [cpuPoint(1)] });
    const [{ name }] = (await stage.database.db.$queryRaw`
      SELECT relname AS name FROM pg_class WHERE relname LIKE 'sample_20%' AND relkind = 'r' ORDER BY 1 DESC LIMIT 1`) as [
      { name: string },
    ];
    await stage.database.db.$executeRawUnsafe(`DROP TABLE ${name}`);
    await agent.report({ series: [cpuPoint(0.5)] });
    expect(await stage.pointsOf(agent)).toEqual([0.5]);
  });

  it("are stored while meters roll up, create partitions and drop them", async () => {
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

/** What a restart or failover of PostgreSQL does to its clients. */
async function cutConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await client.end();
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}
