import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Cluster } from "@fairlead/domain/cluster";
import { type CreateExposure, createExposure as exposureSpec } from "@fairlead/domain/exposure";
import { updateClusterRouting } from "@fairlead/domain/routing";
import {
  createAddressPool,
  createCluster,
  createExposure,
  type ServiceContext,
  updateCluster,
} from "@fairlead/services";
import { localCluster } from "../start/first-start.ts";
import { type OptionalService, optionalServices } from "./demo-services.ts";

/** The record of the created demo, so that a demo that its owner deleted is not created again. */
type DemoRecord = { clusterId: string | null };

const prefix = "203.0.113.0/24"; // reserved for documentation; the lab's clients request its first addresses

/** State of the demo: not created yet (wanted or not), created, or deleted by a user. */
export type DemoState = { is: "wanted" | "unwanted" | "deleted" } | { is: "there"; clusterId: string };

/** findDemo returns the demo's state. An installation already in use gets no demo, unless it is requested. */
export async function findDemo(ctx: ServiceContext, file: string, isRequested: boolean): Promise<DemoState> {
  const made = read(file);
  if (made?.clusterId) {
    const { clusterId } = made;
    const found = await ctx.db.cluster.findFirst({ where: { id: clusterId, organizationId: ctx.organizationId } });
    return found ? { is: "there", clusterId } : { is: "deleted" };
  }
  if (made || isRequested) return { is: "wanted" };
  const { organizationId } = ctx;
  const others = await ctx.db.cluster.findFirst({ where: { organizationId, name: { not: localCluster } } });
  const exposed = await ctx.db.exposure.findFirst({ where: { organizationId } });
  return { is: others || exposed ? "unwanted" : "wanted" };
}

/** createDemo creates the demo's cluster and exposures. It continues if an earlier start was interrupted. */
export async function createDemo(
  ctx: ServiceContext,
  file: string,
  services: readonly OptionalService[],
): Promise<string> {
  const isSecondTry = read(file) !== null;
  write(file, { clusterId: null });
  const { organizationId } = ctx;
  const withNow = () => ({ ...ctx, now: new Date() }); // distinct times keep the order in the audit log
  const begun = isSecondTry
    ? await ctx.db.cluster.findFirst({ where: { organizationId, name: "demo", kind: "lab" }, select: { id: true } })
    : null;
  const clusterId = begun?.id ?? (await makeCluster(withNow())).id;
  const cluster = await ctx.db.cluster.findUniqueOrThrow({ where: { id: clusterId }, select: { routing: true } });
  if (cluster.routing === null) await updateCluster(withNow(), clusterId, { routing });
  const pool =
    (await ctx.db.addressPool.findFirst({ where: { clusterId, name: "services" }, select: { id: true } })) ??
    (await createAddressPool(withNow(), {
      clusterId,
      name: "services",
      prefix,
      note: "addresses of the lab",
      // The lab is a network of its own, so its addresses conflict with no others.
      allowOverlap: true,
    }));
  // web first: it gets the first address, as in the topology.
  for (const spec of [web, ...services.map((name) => optional[name])]) {
    const exposure = await ctx.db.exposure.findFirst({ where: { clusterId, name: spec.name }, select: { id: true } });
    if (!exposure) await createExposure(withNow(), specOf(spec, clusterId, pool.id));
  }
  write(file, { clusterId });
  return clusterId;
}

/** Addresses of the routers and reflectors in the lab: see agents/internal/lab/addresses.go. */
const routing = updateClusterRouting.parse({
  asn: 65_021,
  balancers: ["10.64.0.0/16"],
  reflectors: [
    { name: "rr-1", address: "10.64.0.201" },
    { name: "rr-2", address: "10.64.0.202" },
  ],
  routers: [{ name: "router", address: "10.64.0.1", asn: 65_021 }],
  holdSeconds: 3,
  settleSeconds: 3,
});

function makeCluster(ctx: ServiceContext): Promise<Cluster> {
  return createCluster(ctx, { name: "demo", kind: "lab", region: "this machine", labels: {} });
}

/** findAddresses returns the addresses of the demo's optional services that are exposed: their owner may have deleted them. */
export async function findAddresses(ctx: ServiceContext, clusterId: string): Promise<Map<OptionalService, string>> {
  const { organizationId } = ctx;
  const exposure = { organizationId, clusterId, name: { in: [...optionalServices] }, deletedAt: null };
  const balancers = await ctx.db.loadBalancer.findMany({
    where: { exposure, address: { isNot: null } },
    select: { exposure: { select: { name: true } }, address: { select: { address: true } } },
  });
  return new Map(
    optionalServices.flatMap((name) => {
      const held = balancers.find((each) => each.exposure.name === name)?.address;
      return held ? [[name, held.address]] : [];
    }),
  );
}

const web = {
  ...{ name: "web", ports: [{ name: "http", port: 80 }], type: "ecmp" },
  healthCheck: { type: "http", path: "/healthz" },
} as const;
const webTls = {
  ...{ name: "web-tls", ports: [{ name: "https", port: 443 }], type: "session" },
  healthCheck: { type: "tcp" },
} as const;
const webAdaptive = {
  ...{ name: "web-adaptive", ports: [{ name: "http", port: 8080 }], type: "adaptive" },
  healthCheck: { type: "http", path: "/healthz" },
} as const;

type DemoSpec = typeof web | typeof webTls | typeof webAdaptive;
const optional: Record<OptionalService, DemoSpec> = { "web-tls": webTls, "web-adaptive": webAdaptive };

/** All are ports of the same pods. */
function specOf({ type, ...spec }: DemoSpec, clusterId: string, poolId: string): CreateExposure {
  return exposureSpec.parse({
    ...{ clusterId, ...spec },
    workload: { namespace: "default", kind: "deployment", name: "web" },
    strategy: type === "adaptive" ? { type, poolId } : { type, replicas: 2, poolId },
  });
}

function read(file: string): DemoRecord | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as DemoRecord) : null;
}

function write(file: string, made: DemoRecord): void {
  writeFileSync(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
