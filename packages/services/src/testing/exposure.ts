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
