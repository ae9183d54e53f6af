import { readFileSync } from "node:fs";
import path from "node:path";
import { prismaFolder } from "@fairlead/db/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FiguresStage, figuresOf, setFiguresStage } from "../gateway/report/testing/figures-stage.ts";

const migrations = ["20261129000100_series_agent", "20261129000200_former_replica"];

let stage: FiguresStage;
beforeAll(async () => {
  stage = await setFiguresStage();
});
afterAll(() => stage.database.drop());

/** migrateAgain undoes the migrations, and applies them to the rows that there are. */
async function migrateAgain(): Promise<void> {
  const client = new pg.Client({ connectionString: stage.database.url });
  await client.connect();
  try {
    await client.query(`
      DROP FUNCTION keep_former_replica, end_series_of_agent CASCADE;
      DROP TABLE former_replica;
      ALTER TABLE series DROP COLUMN agent_id, DROP COLUMN ended_at`);
    for (const name of migrations)
      await client.query(readFileSync(path.join(prismaFolder, "migrations", name, "migration.sql"), "utf8"));
  } finally {
    await client.end();
  }
}

it("of a database with series: they get their agents, end with these, and former carriers may still report", async () => {
  const { db } = stage.database;
  const [carrier, former, removed] = [
    await stage.join("carrier"),
    await stage.join("former"),
    await stage.join("removed"),
  ];
  const labels = { loadBalancer: stage.balancerId, backend: stage.backendId };
  for (const agent of [removed, former, carrier]) {
    await stage.place(0, agent);
    await stage.report(agent, {
      series: [
        figuresOf(labels, [1], { metric: "connectionsLive" }),
        figuresOf({ cpu: `"agent":"${agent.agentId}"` }, [1], { metric: "load1" }),
      ],
    });
  }
  await db.node.delete({ where: { id: removed.nodeId } });
  await migrateAgain();
  const rows = await db.series.findMany({
    select: { agentId: true, endedAt: true, metric: true },
    orderBy: { id: "asc" },
  });
  expect(rows).toEqual([
    { metric: "connectionsLive", agentId: removed.agentId, endedAt: expect.any(Date) },
    { metric: "load1", agentId: null, endedAt: null },
    { metric: "connectionsLive", agentId: former.agentId, endedAt: null },
    { metric: "load1", agentId: null, endedAt: null },
    { metric: "connectionsLive", agentId: carrier.agentId, endedAt: null },
    { metric: "load1", agentId: null, endedAt: null },
  ]);
  expect(await db.formerReplica.findMany()).toEqual([
    { agentId: former.agentId, loadBalancerId: stage.balancerId, endedAt: expect.any(Date) },
  ]);
});
