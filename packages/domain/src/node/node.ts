import { z } from "zod";
import { idOf } from "../id.ts";
import { engineInUse } from "../load-balancer/load-balancer.ts";
import { objectName } from "../object-name.ts";
import { listInput, manyOf } from "../page.ts";
import { volatile } from "../volatile.ts";
import { allowableRoles } from "./agent-roles.ts";
import { interfacePattern } from "./interface-pattern.ts";
import { nodeStates } from "./node-states.ts";

export const networkInterface = z
  .object({
    name: z.string(),
    mac: z.string(),
    mtu: z.int(),
    up: z.boolean(),
    addresses: z.array(z.string()),
    speedBps: z.number(),
  })
  .meta({ id: "NetworkInterface" });
export const kernelFeature = z
  .object({ name: z.string(), available: z.boolean(), reason: z.string() })
  .meta({ id: "KernelFeature" });

export const nodeFacts = z
  .object({
    hostname: z.string(),
    os: z.string(),
    kernel: z.string(),
    arch: z.string(),
    cpuCount: z.int(),
    cpuModel: z.string(),
    memoryBytes: z.number(),
    bootedAt: z.date().nullable(),
    interfaces: z.array(networkInterface),
    kernelFeatures: z.array(kernelFeature),
  })
  .meta({ id: "NodeFacts" });
export type NodeFacts = z.infer<typeof nodeFacts>;

/** The longest interval of samples and reports. */
export const longestIntervalMs = 300_000;
const intervalMs = z.int().min(1_000, "a second at least").max(longestIntervalMs, "five minutes at most");
const mostPatterns = 32;

/** The settings of a node. The reconciler compiles them into the configs of the node's agents. */
export const nodeSettings = z
  .strictObject({
    sampleIntervalMs: intervalMs.default(5_000),
    reportIntervalMs: intervalMs.default(5_000),
    excludedInterfaces: z.array(z.string()).max(mostPatterns).default(["lo", "veth*"]),
  })
  .meta({ id: "NodeSettings" });
export type NodeSettings = z.infer<typeof nodeSettings>;

/** Omitted settings stay unchanged, so the fields have no defaults here. */
export const updateNode = z
  .strictObject({
    name: objectName,
    settings: z
      .strictObject({
        sampleIntervalMs: intervalMs,
        reportIntervalMs: intervalMs,
        excludedInterfaces: z.array(interfacePattern).max(mostPatterns, `${mostPatterns} patterns at most`),
      })
      .partial(),
    draining: z
      .boolean()
      .describe(
        "true drains the node: its balancers keep existing connections, and their routes are withdrawn. false returns it to service.",
      ),
  })
  .partial()
  .meta({ id: "UpdateNode" });
export type UpdateNode = z.infer<typeof updateNode>;

/** Whether the node's agent runs the desired config, and whether its data is current. */
export const nodeState = z.enum(nodeStates).meta({ id: "NodeState" });
export type NodeState = z.infer<typeof nodeState>;

export const agent = z
  .object({
    id: idOf("agent"),
    nodeId: idOf("node"),
    roles: z.array(z.string()),
    allowedRoles: z.array(z.string()).describe("Roles it may run as. Its enrolment token sets them."),
    version: z.string(),
    state: nodeState,
    desiredRevision: z.int(),
    observedRevision: z.int(),
    configError: z.string(),
    warnings: z.array(z.string()).describe("Current warnings, a sentence each."),
    corrections: volatile(z.int()),
    droppedReports: volatile(z.int()),
    reportIntervalMs: z.int(),
    lastReportAt: volatile(z.date().nullable()),
    certificateExpiresAt: z.date(),
    enrolledAt: z.date(),
    revokedAt: z.date().nullable(),
  })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof agent>;

export const updateAgent = z
  .strictObject({
    allowedRoles: z
      .array(z.enum(allowableRoles))
      .min(1)
      .max(allowableRoles.length)
      .transform((each) => [...new Set(each)])
      .describe("Roles it may run as. A role that is left out ends at once."),
  })
  .meta({ id: "UpdateAgent" });
export type UpdateAgent = z.infer<typeof updateAgent>;

export const node = z
  .object({
    id: idOf("node"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    name: z.string(),
    settings: nodeSettings,
    drainingSince: z.date().nullable().describe("Since when it has been draining; null while it serves."),
    generation: z.int(),
    state: nodeState,
    message: z.string(),
    reportIntervalMs: z.int(),
    lastReportAt: volatile(z.date().nullable()),
    agentVersion: z.string().nullable(),
    cpuUtilizationRatio: volatile(z.number().nullable()),
    memoryUsedRatio: volatile(z.number().nullable()),
    load1: volatile(z.number().nullable()),
    cpuCount: z.int().nullable(),
    kernel: z.string().nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "Node" });
export type Node = z.infer<typeof node>;

/** An agent of the role balancer on a node. */
export const nodeBalancer = z
  .object({
    agentId: idOf("agent"),
    ...engineInUse,
    address: z.string(),
    observedAt: volatile(z.date()),
    reportIntervalMs: z.int(),
    replicas: z
      .array(
        z.object({
          loadBalancerId: idOf("loadBalancer"),
          loadBalancerName: z.string(),
          ready: z.boolean(),
          message: z.string(),
          liveConnections: volatile(z.int()),
        }),
      )
      .describe("Replicas placed on it, those with problems first; a hundred at most."),
    replicaCount: z.int().describe("Number of replicas placed on it."),
  })
  .meta({ id: "NodeBalancer" });
export type NodeBalancer = z.infer<typeof nodeBalancer>;

/** The number of a node's addresses by their state at routers. */
export const nodeAnnounced = z
  .object({
    offered: z.int(),
    draining: z.int(),
    withdrawn: z.int(),
    alone: z
      .array(z.string())
      .describe(
        "Addresses that no other node of the cluster offers: a drain removes them from routers. A hundred at most; empty without the permission map:read.",
      ),
    aloneCount: z.int().describe("Number of addresses that no other node offers; counted up to a hundred."),
  })
  .meta({ id: "NodeAnnounced" });
export type NodeAnnounced = z.infer<typeof nodeAnnounced>;

export const nodeDetail = node
  .extend({
    facts: nodeFacts.nullable(),
    agents: z.array(agent),
    balancers: z.array(nodeBalancer),
    announced: nodeAnnounced,
    roundTripsTo: z
      .array(z.object({ id: idOf("node"), name: z.string() }))
      .describe(
        "Other nodes of the cluster, by name, to which its agent measures round trips: the label `node` of the metric `roundTripMs`.",
      ),
  })
  .meta({ id: "NodeDetail" });
export type NodeDetail = z.infer<typeof nodeDetail>;

export const listNodes = listInput(
  ["name", "clusterName", "state", "lastReportAt", "cpuUtilizationRatio", "memoryUsedRatio", "createdAt"],
  { clusterId: idOf("cluster").optional(), state: manyOf(nodeState) },
  { sort: "name", direction: "asc" },
);
export type ListNodes = z.infer<typeof listNodes>;
