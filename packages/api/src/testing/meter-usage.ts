import { newId } from "@fairlead/domain";
import { hourOf } from "@fairlead/domain/cost";
import type { ServiceContext } from "@fairlead/services";

/** The first metered hour of tests, in the middle of a month. */
export const hour = hourOf(new Date("2026-11-10T00:00:00Z"));

/** meterTestUsage stores usage of deleted load balancers of AWS, as the meter does: lb_0, lb_1 and so on of their organisation. */
export async function meterTestUsage(
  { db, organizationId }: Pick<ServiceContext, "db" | "organizationId">,
  { balancers, hours, from = hour }: { balancers: number; hours: number; from?: number },
): Promise<{ clusterId: string }> {
  const clusterId = newId("cluster");
  const facts = (n: number) => ({
    ...{ name: n === 0 ? "=1+1" : `lb-${n}`, kind: "cloud", instance: null, address: "8.8.8.8" },
    ...{ exposureName: "shop", clusterName: "prod", clusterRegion: "us-east-1", labels: { team: "shop" } },
    runsAs: {
      ...{ provider: "aws", region: "us-east-1", machine: null, machineShare: 1, zones: 1 },
      ...{ responseShare: 0.9, internetShare: 0 },
    },
    ...{ strategy: { type: "cloud", provider: "aws", scheme: "public" }, ports: [{ protocol: "tcp" }] },
  });
  const prefix = (await db.usageSubject.count()) === 0 ? "lb_" : `lb_${organizationId.slice(4, 20)}`;
  await db.usageSubject.createMany({
    data: Array.from({ length: balancers }, (_, n) => ({
      ...{ organizationId, clusterId, exposureId: newId("exposure"), loadBalancerId: `${prefix}${n}`, facts: facts(n) },
    })),
  });
  await db.$executeRaw`
    INSERT INTO usage_hour (subject_id, hour, exists_seconds, address_seconds, replica_seconds, machine_seconds, measured_seconds,
      bytes_in, connection_seconds, connections_new)
    SELECT s.id, ${from}::int + n, 3600, 3600, 3600, 0, 3600, s.id * 1000003, 7200, 3600
    FROM usage_subject s, generate_series(0, ${hours - 1}::int) AS n WHERE s.cluster_id = ${clusterId}`;
  return { clusterId };
}
