import { randomBytes } from "node:crypto";
import { newId } from "@fairlead/domain";

const kinds = [
  "organization",
  "cluster",
  "addressPool",
  "exposure",
  "loadBalancer",
  "node",
  "agent",
  "member",
  "enrollmentToken",
  "invitation",
  "apiKey",
  "identityProvider",
  "experiment",
] as const;
export type FleetIds = Record<(typeof kinds)[number], string>;

/** Ids that nobody has. */
export const unknownIds = Object.fromEntries(kinds.map((kind) => [kind, newId(kind)])) as FleetIds;

/** inputsFor is one right input for every procedure, about the given objects. */
export function inputsFor(ids: FleetIds): Record<string, unknown> {
  const id = (kind: keyof FleetIds) => ({ id: ids[kind] });
  const name = `n${randomBytes(6).toString("hex")}`;
  const wish = {
    clusterId: ids.cluster,
    name,
    workload: { kind: "deployment", name: "shop" },
    ports: [{ port: 443 }],
    strategy: { type: "ecmp", poolId: ids.addressPool },
  };
  return {
    "overview.get": {},
    "cluster.list": {},
    "cluster.get": id("cluster"),
    "cluster.listInstances": { clusterId: ids.cluster },
    "cluster.writeRouterConfig": { ...id("cluster"), format: "frr" },
    "bgpSession.list": { clusterId: ids.cluster },
    "announcement.list": { clusterId: ids.cluster },
    "route.list": { clusterId: ids.cluster },
    "cloudAddress.list": { clusterId: ids.cluster },
    "routingTable.ask": { clusterId: ids.cluster, covers: "203.0.113.7" },
    "routeUpdate.list": { clusterId: ids.cluster },
    "routeDelay.query": { clusterId: ids.cluster, from: new Date(Date.now() - 3_600_000), to: new Date() },
    "routingTable.listAgents": { clusterId: ids.cluster },
    "experiment.list": { clusterId: ids.cluster },
    "experiment.get": id("experiment"),
    "experiment.series": id("experiment"),
    "experiment.start": { clusterId: ids.cluster },
    "experiment.stop": id("experiment"),
    "experimentStep.list": { experimentId: ids.experiment },
    "cluster.create": { name, kind: "lab" },
    "cluster.update": { ...id("cluster"), region: "elsewhere" },
    "cluster.delete": id("cluster"),
    "node.list": { clusterId: ids.cluster },
    "node.get": id("node"),
    "node.update": { ...id("node"), settings: { sampleIntervalMs: 9_000 }, draining: true },
    "node.delete": id("node"),
    "agent.revoke": id("agent"),
    "enrollmentToken.list": { clusterId: ids.cluster },
    "enrollmentToken.create": { clusterId: ids.cluster },
    "enrollmentToken.delete": id("enrollmentToken"),
    "pool.list": { clusterId: ids.cluster },
    "pool.get": id("addressPool"),
    "pool.create": { clusterId: ids.cluster, name, prefix: "198.51.100.0/24" },
    "pool.delete": id("addressPool"),
    "exposure.list": { clusterId: ids.cluster },
    "exposure.get": id("exposure"),
    "exposure.plan": wish,
    "exposure.create": wish,
    "exposure.update": { ...id("exposure"), labels: { a: "b" } },
    "exposure.delete": id("exposure"),
    "loadBalancer.list": { clusterId: ids.cluster, exposureId: ids.exposure },
    "loadBalancer.get": id("loadBalancer"),
    "series.query": {
      subjectIds: [ids.node],
      metrics: ["load1"],
      from: new Date(Date.now() - 3_600_000),
      to: new Date(),
    },
    "event.list": { subjectId: ids.cluster },
    "audit.list": { subjectId: ids.cluster },
    "member.list": {},
    "member.update": { ...id("member"), role: "viewer" },
    "member.remove": id("member"),
    "invitation.list": {},
    "invitation.create": { email: `${name}@example.com`, role: "viewer" },
    "invitation.delete": id("invitation"),
    "invitation.accept": { token: "x".repeat(32) },
    "apiKey.list": {},
    "apiKey.create": { name, role: "viewer", scopes: ["cluster:read"] },
    "apiKey.revoke": id("apiKey"),
    "identityProvider.list": {},
    "identityProvider.create": {
      name,
      issuer: "http://127.0.0.1:1",
      clientId: "c",
      clientSecret: "s",
      domains: ["example.com"],
    },
    "identityProvider.delete": id("identityProvider"),
    "session.get": {},
    "session.switchOrganization": { organizationId: ids.organization },
    "live.changes": {},
  };
}
