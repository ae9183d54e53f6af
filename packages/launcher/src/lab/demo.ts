import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { type Cluster, healthCheck, updateClusterRouting } from "@fairlead/domain";
import {
  createAddressPool,
  createCluster,
  createExposure,
  type ServiceContext,
  updateCluster,
} from "@fairlead/services";
import { localCluster } from "../first-start.ts";

/** What we remember of the demo, so that what its owner deletes stays deleted. */
type Made = { clusterId: string | null };

const prefix = "203.0.113.0/24"; // for documentation, so nobody's; the lab's clients ask for its first address

/** Where the demo stands: not made yet and wanted or not, there, or deleted by somebody. */
export type Standing = { is: "wanted" | "unwanted" | "deleted" } | { is: "there"; clusterId: string };

/** findDemo says how the demo stands. Nobody wants one among what is in use already, unless they say so. */
export async function findDemo(ctx: ServiceContext, file: string, isAsked: boolean): Promise<Standing> {
  const made = read(file);
  if (made?.clusterId) {
    const { clusterId } = made;
    const found = await ctx.db.cluster.findFirst({ where: { id: clusterId, organizationId: ctx.organizationId } });
    return found ? { is: "there", clusterId } : { is: "deleted" };
  }
  if (made || isAsked) return { is: "wanted" };
  const { organizationId } = ctx;
  const others = await ctx.db.cluster.findFirst({ where: { organizationId, name: { not: localCluster } } });
  const exposed = await ctx.db.exposure.findFirst({ where: { organizationId } });
  return { is: others || exposed ? "unwanted" : "wanted" };
}

/** makeDemo makes the demo's cluster with what it exposes, and goes on where a start before was cut off. */
export async function makeDemo(ctx: ServiceContext, file: string): Promise<string> {
  const isSecondTry = read(file) !== null;
  write(file, { clusterId: null });
  const { organizationId } = ctx;
  const inTurn = () => ({ ...ctx, now: new Date() }); // so that the audit shows them in this order
  const begun = isSecondTry
    ? await ctx.db.cluster.findFirst({ where: { organizationId, name: "demo", kind: "lab" }, select: { id: true } })
    : null;
  const clusterId = begun?.id ?? (await makeCluster(inTurn())).id;
  const told = await ctx.db.cluster.findUniqueOrThrow({ where: { id: clusterId }, select: { routing: true } });
  if (told.routing === null) await updateCluster(inTurn(), clusterId, { routing });
  const pool =
    (await ctx.db.addressPool.findFirst({ where: { clusterId, name: "services" }, select: { id: true } })) ??
    (await createAddressPool(inTurn(), { clusterId, name: "services", prefix }));
  const exposure = await ctx.db.exposure.findFirst({ where: { clusterId, name: "web" }, select: { id: true } });
  if (!exposure) await expose(inTurn(), clusterId, pool.id);
  write(file, { clusterId });
  return clusterId;
}

/** As the lab has its members: see agents/internal/lab/addresses.go. */
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

async function expose(ctx: ServiceContext, clusterId: string, poolId: string): Promise<void> {
  await createExposure(ctx, {
    clusterId,
    name: "web",
    workload: { namespace: "default", kind: "deployment", name: "web" },
    ports: [{ name: "http", port: 80, protocol: "tcp" }],
    strategy: { type: "ecmp", replicas: 2, poolId },
    healthCheck: healthCheck.parse({ type: "http", path: "/healthz" }),
    labels: {},
  });
}

function read(file: string): Made | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Made) : null;
}

function write(file: string, made: Made): void {
  writeFileSync(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
