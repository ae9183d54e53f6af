import type { CreateExposure, Exposure } from "@fairlead/domain/exposure";
import type { ReportedInstance } from "@fairlead/domain/instance";
import { createAddressPool, createExposure } from "@fairlead/services";
import { expect, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, patience } from "./balancer-stage.ts";

type PerReplica = Extract<CreateExposure["strategy"], { type: "per-replica" }>;

/** InstanceScene is a fixture whose exposures have a balancer for each instance, with addresses from a pool. */
export type InstanceScene = ReturnType<typeof watch> & {
  /** The pool of the next exposures. */
  poolId: string;
  pool: (name: string, prefix: string) => Promise<string>;
  runs: (...pods: ReportedInstance[]) => Promise<unknown>;
  strategy: (more?: Partial<PerReplica>) => PerReplica;
  expose: (more?: Partial<PerReplica>, name?: string) => Promise<Exposure>;
};

/** withPool adds a pool of 254 addresses to the lab of a fixture. */
export async function withPool(stage: BalancerStage, fixture: BalancerFixture): Promise<InstanceScene> {
  const pool = async (name: string, prefix: string) =>
    (await createAddressPool(fixture.now(), { clusterId: fixture.clusterId, name, prefix, note: "" })).id;
  const on: InstanceScene = {
    ...watch(stage, fixture),
    poolId: await pool("instances", "198.51.100.0/24"),
    pool,
    runs: (...pods) => fixture.runs(pods),
    strategy: (more = {}) => ({
      ...{ type: "per-replica", addressing: "balancer", replicas: 1, poolId: on.poolId },
      ...more,
    }),
    expose: (more = {}, name = "each") =>
      createExposure(fixture.now(), {
        ...{ ...fixture.spec, name, strategy: on.strategy(more) },
        ports: [{ port: 80, targetPort: 8080, protocol: "tcp" }],
      }),
  };
  return on;
}

function watch({ database: { db } }: BalancerStage, fixture: BalancerFixture) {
  const balancersOf = (exposureId: string) =>
    db.loadBalancer.findMany({
      where: { exposureId },
      include: { address: true, status: true, replicas: true },
      orderBy: { name: "asc" },
    });
  return {
    balancersOf,
    addressesOf: async (id: string) =>
      Object.fromEntries((await balancersOf(id)).map(({ instance, address }) => [instance, address?.address ?? null])),
    mapOf: async (exposureId: string) =>
      (await db.addressMapping.findMany({ where: { exposureId }, orderBy: { instance: "asc" } })).map(
        (each) =>
          `${each.instance} ${each.pod}@${each.node} ${each.internalAddress}:${each.internalPort} ${each.externalAddress}:${each.externalPort} ${each.ready}`,
      ),
    /** The backends of each address in the configs of all balancers, with their states. */
    carried: () =>
      Object.fromEntries(
        fixture.balancers.flatMap((balancer) =>
          balancer
            .services()
            .map(({ address, backends }) => [
              address,
              backends.map((each) => `${each.address}:${each.port} ${each.state}`),
            ]),
        ),
      ),
    serves: (id: string, count: number) =>
      vi.waitFor(async () => {
        const found = await balancersOf(id);
        expect(found.map((each) => each.status?.phase)).toEqual(Array(count).fill("serving"));
      }, patience),
    taken: (poolId: string) => db.virtualAddress.count({ where: { poolId } }),
  };
}
