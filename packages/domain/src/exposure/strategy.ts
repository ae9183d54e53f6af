import { z } from "zod";
import { strategyProviders } from "../cost/prices/providers.ts";
import { idOf } from "../id.ts";
import { deliveryNames, engineNames, schedulerNames } from "./engines.ts";
import { addressingNames, strategies, strategyTypes } from "./strategies.ts";

const replicaCount = z.int().min(1).max(64);
const replicas = replicaCount.default(2).describe("How many replicas of our balancer.");
const poolId = idOf("addressPool").describe("The pool that the virtual address comes from.");

/** How a spec is to be satisfied. One word each; the fields are what only that strategy needs. */
export const strategy = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("per-replica").describe(strategies["per-replica"].summary),
      addressing: z
        .enum(addressingNames)
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
      type: z.literal("ecmp").describe(strategies.ecmp.summary),
      replicas,
      poolId,
      engine: z
        .enum(engineNames)
        .optional()
        .describe("What carries the packets on each replica; auto, the best that its host can, when absent."),
      delivery: z
        .enum(deliveryNames)
        .optional()
        .describe("How packets reach a backend; the best that the engine has when absent."),
      scheduler: z
        .enum(schedulerNames)
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
      type: z.literal("session").describe(strategies.session.summary),
      replicas,
      poolId,
    }),
    z.strictObject({
      type: z.literal("adaptive").describe(strategies.adaptive.summary),
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
      type: z.literal("cloud").describe(strategies.cloud.summary),
      provider: z.enum(strategyProviders),
      scheme: z.enum(["public", "internal"]).default("public"),
    }),
  ])
  .meta({ id: "Strategy" });
export type Strategy = z.infer<typeof strategy>;

export const strategyType = z.enum(strategyTypes satisfies readonly Strategy["type"][]).meta({ id: "StrategyType" });
