import type { AddressPool } from "@fairlead/domain/address-pool";
import type { Cluster, ClusterKind } from "@fairlead/domain/cluster";
import { type CreateExposure, createExposure as createExposureSchema, type Exposure } from "@fairlead/domain/exposure";
import type { z } from "zod";
import { createAddressPool } from "../address-pool/index.ts";
import { createCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { createExposure } from "../exposure/index.ts";

let clusters = 0;

/** createTestCluster creates a cluster, and a pool of it with the addresses of the prefix. */
export async function createTestCluster(
  ctx: ServiceContext,
  prefix = "192.0.2.0/24",
  kind: ClusterKind = "lab",
): Promise<{ cluster: Cluster; pool: AddressPool }> {
  const name = `cluster-${++clusters}`;
  const cluster = await createCluster(ctx, { name, kind, region: "", labels: {} });
  const spec = { clusterId: cluster.id, name: "public", prefix, note: "", allowOverlap: true };
  return { cluster, pool: await createAddressPool(ctx, spec) };
}

/** testSpec is a complete spec for one balancer with an address of the pool; a test sets what matters to it. */
export function testSpec(pool: AddressPool, other: Partial<z.input<typeof createExposureSchema>> = {}): CreateExposure {
  return createExposureSchema.parse({
    clusterId: pool.clusterId,
    name: "shop",
    workload: { kind: "deployment", name: "shop" },
    ports: [{ port: 443, targetPort: 8443 }],
    strategy: { type: "ecmp", replicas: 2, poolId: pool.id },
    ...other,
  });
}

export async function createTestExposure(
  ctx: ServiceContext,
  other: Partial<z.input<typeof createExposureSchema>> = {},
): Promise<{ cluster: Cluster; pool: AddressPool; exposure: Exposure }> {
  const { cluster, pool } = await createTestCluster(ctx);
  return { cluster, pool, exposure: await createExposure(ctx, testSpec(pool, other)) };
}

/** createTestRotation creates an exposure with managed ticket keys, which servers "web-1" and "web-2" have. */
export async function createTestRotation(
  ctx: ServiceContext,
  pool: AddressPool,
  other: Partial<z.input<typeof createExposureSchema>> = {},
): Promise<Exposure> {
  const ticketKeys = { software: "nginx", folder: "/etc/nginx/tickets/{instance}" } as const;
  const strategy = { type: "session", poolId: pool.id, names: "managed", ticketKeys } as const;
  const exposure = await createExposure(ctx, testSpec(pool, { ports: [{ port: 443 }], strategy, ...other }));
  const member = { kind: "server", revision: 2, epoch: 1, outdatedSince: null, name: "" };
  await ctx.db.ticketRotation.create({
    data: {
      ...{ exposureId: exposure.id, phase: "idle", epochs: [1], revision: 2, since: ctx.now, lifetimeMs: 86_400_000 },
      members: ["web-1", "web-2"].map((id) => ({ ...member, id })),
      secrets: { create: { epoch: 1, sealed: "", createdAt: ctx.now } },
    },
  });
  return exposure;
}
