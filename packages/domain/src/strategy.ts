import { z } from "zod";
import { idOf } from "./id.ts";
import { deliveries, engines, schedulers, strategyTypes } from "./words.ts";

const replicaCount = z.int().min(1).max(64);
const replicas = replicaCount.default(2).describe("How many replicas of our balancer.");
const poolId = idOf("addressPool").describe("The pool that the virtual address comes from.");

/** How a wish is to be satisfied. One word each; the fields are what only that strategy needs. */
export const strategy = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("per-replica").describe("One balancer per instance of the workload, with an address map."),
      addressing: z
        .enum(["dedicated", "shared-port", "shared-sni", "node-port", "balancer"])
        .default("dedicated")
        .describe(
          "Where an instance is reached: an address of its own by a load balancer of its cluster (dedicated) or of ours (balancer), a port of one address, one address by server names, or a port of its node.",
        ),
      replicas: replicaCount
        .optional()
        .describe(
          "How many replicas each balancer of ours has; only with the addressing balancer or shared-sni, 2 when absent.",
        ),
      poolId: idOf("addressPool")
        .optional()
        .describe(
          "The pool that addresses come from: of each instance with the addressing balancer, of all together with shared-sni; only with these.",
        ),
      keepSeconds: z
        .int()
        .min(0)
        .max(86_400)
        .optional()
        .describe("How long an address waits for its instance when that is gone; 300 when absent."),
      drainSeconds: z
        .int()
        .min(0)
        .max(3_600)
        .optional()
        .describe(
          "How long connections go on when the Service of an instance is to go and the instance isn't; meanwhile the map sends nobody new there. 10 when absent.",
        ),
      dnsZone: z
        .string()
        .max(180)
        .regex(
          /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
          "write a zone in small letters, such as games.example.com",
        )
        .optional()
        .describe(
          "Gives each instance the name instance.zone: by external-dns where that runs in the cluster, and with shared-sni as what TLS clients ask for.",
        ),
    }),
    z.strictObject({
      type: z.literal("ecmp").describe("Our layer-4 balancers, announced by BGP and spread by ECMP."),
      replicas,
      poolId,
      engine: z
        .enum(engines)
        .optional()
        .describe("What carries the packets on each replica; auto, the best that its host can, when absent."),
      delivery: z
        .enum(deliveries)
        .optional()
        .describe("How packets reach a backend; the best that the engine has when absent."),
      scheduler: z
        .enum(schedulers)
        .optional()
        .describe("What picks the backend of a connection; only with the engine ipvs, and mh of that when absent."),
      proxyProtocol: z
        .boolean()
        .optional()
        .describe(
          "Tells backends who the client is, by the PROXY protocol (version 2) in front of each TCP connection; only with the delivery proxy.",
        ),
    }),
    z.strictObject({
      type: z.literal("session").describe("Layer 4, keeping each TLS session on its backend."),
      replicas,
      poolId,
    }),
    z.strictObject({
      type: z.literal("adaptive").describe("Local first; moves on when a node runs short."),
      replicas,
      poolId,
      thresholdPercent: z
        .int()
        .min(1)
        .max(100)
        .default(90)
        .describe("CPU or memory use above which a node counts as full."),
    }),
    z.strictObject({
      type: z.literal("cloud").describe("A load balancer of the cloud provider."),
      provider: z.enum(["aws", "gcp", "azure"]),
      scheme: z.enum(["public", "internal"]).default("public"),
    }),
  ])
  .meta({ id: "Strategy" });
export type Strategy = z.infer<typeof strategy>;
export type StrategyType = Strategy["type"];

export const strategyType = z.enum(strategyTypes).meta({ id: "StrategyType" });
