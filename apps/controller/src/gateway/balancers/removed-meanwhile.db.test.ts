import pg from "pg";
import { expect, it, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

it("stores the report of a balancer whose replica is removed at the same moment", async () => {
  await fixture.serve(1, [pod(1)]);
  const [balancer] = fixture.balancers;
  if (!balancer) throw new Error("no balancer");
  const before = await stage.database.db.nodeStatus.findUniqueOrThrow({ where: { agentId: balancer.agentId } });
  const client = new pg.Client({ connectionString: stage.database.url });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("DELETE FROM replica WHERE agent_id = $1", [balancer.agentId]);
    // The report still sees the replica, and waits for the deletion before it writes what belongs to it.
    balancer.down.set(podAddress(1), "connection refused");
    const reporting = balancer.say();
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await vi.waitFor(async () => expect((await client.query(waiting)).rowCount).toBe(1), patience);
    await client.query("COMMIT");
    await reporting;
    const { db } = stage.database;
    const { agentId } = balancer;
    const after = await db.nodeStatus.findUniqueOrThrow({ where: { agentId } });
    expect(after.sequence).toBeGreaterThan(before.sequence);
    expect(await db.backendStatus.count({ where: { replica: { agentId } } })).toBe(0);
  } finally {
    await client.end();
  }
});
