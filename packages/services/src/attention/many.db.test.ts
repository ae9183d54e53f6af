import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { listAttention as input } from "@fairlead/domain/attention";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { finders } from "./finders.ts";
import { listAttention } from "./index.ts";

const exposures = 10_000;
const nodes = 2_000;

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  const { cluster, pool } = await createTestCluster(ctx, "10.0.0.0/18");
  await createNodes(cluster.id);
  await createExposures(cluster.id, pool.id);
  await database.db.$executeRaw`ANALYZE`;
});
afterAll(() => database.drop());

/** All are silent, half of their certificates expire, and each has a session that was lost after many others. */
async function createNodes(clusterId: string): Promise<void> {
  const { organizationId } = ctx;
  const hourAgo = new Date(ctx.now.getTime() - 3_600_000);
  const last = nodes - 1;
  await database.db.$executeRaw`
    INSERT INTO node (id, organization_id, cluster_id, name, settings, updated_at)
    SELECT 'node_' || i, ${organizationId}, ${clusterId}, 'node-' || i, '{}', ${hourAgo} FROM generate_series(0, ${last}::int) i`;
  await database.db.$executeRaw`
    INSERT INTO agent (id, organization_id, node_id, roles, certificate_serial, certificate_expires_at)
    SELECT 'agt_' || i, ${organizationId}, 'node_' || i, ARRAY['speaker'], 'serial-' || i, ${hourAgo}::timestamptz + (i % 2) * interval '30 days'
    FROM generate_series(0, ${last}::int) i`;
  await database.db.$executeRaw`
    INSERT INTO node_status (agent_id, node_id, boot_id, sequence, observed_revision, last_report_at)
    SELECT 'agt_' || i, 'node_' || i, 'b', 1, 1, CASE WHEN i % 2 = 0 THEN ${hourAgo}::timestamptz ELSE now() + interval '1 hour' END
    FROM generate_series(0, ${last}::int) i`;
  await database.db.$executeRaw`
    INSERT INTO bgp_session (id, organization_id, cluster_id, agent_id, peer_address, peer_asn, local_asn, state, observed_at)
    SELECT 'bgp_' || lpad(i::text, 26, '0'), ${organizationId}, ${clusterId}, 'agt_' || i, '192.0.2.254', 65021, 65021, 'active', now() + interval '1 hour'
    FROM generate_series(0, ${last}::int) i`;
  await database.db.$executeRaw`
    INSERT INTO bgp_transition (id, organization_id, cluster_id, agent_id, node_name, kind, about, from_state, to_state, at)
    SELECT 'btr_' || i || 'x' || n, ${organizationId}, ${clusterId}, 'agt_' || i, '', 'session', '192.0.2.254', 'established', 'idle',
      ${hourAgo}::timestamptz - n * interval '1 minute'
    FROM generate_series(0, ${last}::int) i, generate_series(0, 19) n`;
  await database.db.$executeRaw`
    INSERT INTO announcement (id, organization_id, cluster_id, agent_id, prefix, next_hop, load_balancer_id, state, state_since, observed_at)
    SELECT 'ann_' || i, ${organizationId}, ${clusterId}, 'agt_' || i, '198.18.0.0/32'::inet + i, '172.16.0.0'::inet + i, '', 'offered', ${hourAgo}, ${hourAgo}
    FROM generate_series(0, ${last}::int) i`;
}

/** None of them serves, for several reasons, and they take almost all addresses of the pool. */
async function createExposures(clusterId: string, poolId: string): Promise<void> {
  const { organizationId } = ctx;
  const hourAgo = new Date(ctx.now.getTime() - 3_600_000);
  const last = exposures - 1;
  await database.db.$executeRaw`
    INSERT INTO exposure (id, organization_id, cluster_id, name, workload, ports, strategy, parameters, updated_at)
    SELECT 'exp_' || i, ${organizationId}, ${clusterId}, 'web-' || i, '{}', '[]', 'ecmp', '{}', ${hourAgo} FROM generate_series(0, ${last}::int) i`;
  await database.db.$executeRaw`
    INSERT INTO exposure_status (exposure_id, phase, message, observed_at, conditions)
    SELECT 'exp_' || i, (ARRAY['pending', 'degraded', 'failed'])[1 + i % 3], 'It waits.', ${hourAgo}, jsonb_build_array(
      jsonb_build_object('type', 'Ready', 'status', 'false', 'reason', (ARRAY['NoDriver', 'PartlyServing', 'NotServing'])[1 + i % 3], 'message', '', 'changedAt', ${hourAgo}::timestamptz),
      jsonb_build_object('type', 'BackendsUp', 'status', 'false', 'reason', 'BackendsDown', 'message', '', 'changedAt', ${hourAgo}::timestamptz))
    FROM generate_series(0, ${last}::int) i`;
  await database.db.$executeRaw`
    INSERT INTO load_balancer (id, organization_id, cluster_id, exposure_id, name, kind, updated_at)
    SELECT 'lb_' || i, ${organizationId}, ${clusterId}, 'exp_' || i, 'web-' || i, 'fairlead', ${hourAgo} FROM generate_series(0, ${last}::int) i`;
  await database.db.$executeRaw`
    INSERT INTO load_balancer_status (load_balancer_id, phase, backends_up, observed_at)
    SELECT 'lb_' || i, 'degraded', i % 2, ${hourAgo} FROM generate_series(0, ${last}::int) i`;
  await database.db.$executeRaw`
    INSERT INTO virtual_address (id, organization_id, pool_id, load_balancer_id, released_by_id, address, allocated_at)
    SELECT 'addr_' || i, ${organizationId}, ${poolId}, CASE WHEN i < ${exposures}::int THEN 'lb_' || i END,
      CASE WHEN i >= ${exposures}::int THEN 'lb_' || i - ${exposures}::int END, '10.0.0.1'::inet + i, ${hourAgo}
    FROM generate_series(0, 16000) i`;
}

/**
 * Far above the usual time (a third of a second, or one on a machine that is ten times overloaded), far below that of a
 * scan of one table for each row of another.
 */
const mostMs = 10_000;

it("lists a limited number of each kind and counts all, with 10 000 exposures and 2 000 nodes in trouble", async () => {
  const began = performance.now();
  const { counts, items, total } = await listAttention(ctx, input.parse({}));
  expect(performance.now() - began).toBeLessThan(mostMs);
  expect(Object.fromEntries(counts.map(({ kind, count }) => [kind, count]))).toEqual({
    ...{
      "exposure-no-driver": 3_334,
      "exposure-backends-down": 3_333,
      "exposure-failed": 1_666,
      "exposure-some-backends-down": 1_667,
    },
    ...{ "node-silent": 1_000, "certificate-expired": 1_000, "bgp-session-down": 2_000, "pool-nearly-full": 1 },
  });
  expect(total).toBe(counts.reduce((sum, each) => sum + each.count, 0));
  const most = Math.max(...counts.map(({ kind }) => items.filter((item) => item.kind === kind).length));
  expect(most).toBe(20);
});

it.each(finders.map((finder) => [finder.kinds[0], finder] as const))(
  "finds by one fast query: %s",
  async (_, finder) => {
    const scope = {
      organizationId: ctx.organizationId,
      clusterId: undefined,
      now: ctx.now,
      before: ctx.now,
      limit: 20,
    };
    const began = performance.now();
    await finder.find(ctx, { ...scope, kinds: finder.kinds });
    expect(performance.now() - began).toBeLessThan(mostMs);
  },
);
