import { z } from "zod";
import { hostName, longestHostName } from "../address/host-name.ts";
import { strategyProviders } from "../cost/prices/providers.ts";
import { idOf } from "../id.ts";
import { selector } from "../object-name.ts";
import { costDeliveries } from "./adaptive.ts";
import { deliveryNames, engineNames, schedulerNames } from "./engines.ts";
import {
  mostDrainSeconds,
  mostServerNames,
  mostTicketHours,
  sessionDefaults,
  sessionDeliveries,
  sessionFallbacks,
  sessionNames,
} from "./session.ts";
import { addressingNames, type EngineStrategyType, strategies, strategyTypes } from "./strategies.ts";
import { ticketKeys } from "./ticket-keys.ts";

const replicaCount = z.int().min(1).max(64);
const replicas = replicaCount.default(2).describe("Number of replicas of our balancer.");
const poolId = idOf("addressPool").describe("The pool of the virtual address.");

/** How a workload is exposed: the type, and the fields of that type. */
export const strategy = z
  .discriminatedUnion("type", [
    z
      .strictObject({
        type: z.literal("per-replica").describe(strategies["per-replica"].summary),
        addressing: z
          .enum(addressingNames)
          .default("dedicated")
          .describe(
            "Where an instance is reached. dedicated: its own address, from a load balancer of its cluster. balancer: its own address, from a balancer of ours. shared-port: its own port of one address. shared-sni: one address, by server name. node-port: a port of its node.",
          ),
        replicas: replicaCount
          .optional()
          .describe(
            "Number of replicas of each balancer of ours. Only with the addressing balancer or shared-sni. Default: 2.",
          ),
        poolId: idOf("addressPool")
          .optional()
          .describe(
            "The pool of the addresses: one for each instance with the addressing balancer, one for all with shared-sni. Only with these.",
          ),
        keepSeconds: z
          .int()
          .min(0)
          .max(86_400)
          .optional()
          .describe("How long an address is kept for an instance that is gone. Default: 300."),
        drainSeconds: z
          .int()
          .min(0)
          .max(3_600)
          .optional()
          .describe(
            "How long connections continue when the Service of a running instance is being deleted. Meanwhile the map marks it as not ready for new connections. Default: 10.",
          ),
        dnsZone: z
          .string()
          .max(180)
          .regex(
            /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
            "enter a zone in lower case, such as games.example.com",
          )
          .optional()
          .describe(
            "Gives each instance the name instance.zone: by external-dns, if that runs in the cluster, and with shared-sni as its TLS server name.",
          ),
      })
      .meta({ id: "PerReplicaStrategy" }),
    z
      .strictObject({
        type: z.literal("ecmp").describe(strategies.ecmp.summary),
        replicas,
        poolId,
        engine: z
          .enum(engineNames)
          .optional()
          .describe("What carries the packets on each replica. Default: auto, the best that its host supports."),
        delivery: z
          .enum(deliveryNames)
          .optional()
          .describe("How packets reach a backend. Default: the best that the engine supports."),
        scheduler: z
          .enum(schedulerNames)
          .optional()
          .describe("What picks the backend of a connection. Only with the engine ipvs. Default: mh."),
        proxyProtocol: z
          .boolean()
          .optional()
          .describe(
            "Sends the client's address to backends with the PROXY protocol (version 2), at the start of each TCP connection. Only with the delivery proxy.",
          ),
        sampleClients: z
          .boolean()
          .optional()
          .describe(
            "Measures which client networks (IPv4 /24, IPv6 /48) send the most. Each replica reads at most about 1000 packets a second, at random. Default: false.",
          ),
      })
      .meta({ id: "EcmpStrategy" }),
    z
      .strictObject({
        type: z.literal("session").describe(strategies.session.summary),
        replicas,
        poolId,
        delivery: z
          .enum(sessionDeliveries)
          .optional()
          .describe(
            "How packets reach a backend. It must keep them as they are, because the backend checks the client's cookie. direct needs backends on the replicas' network; the agents of the role backend unwrap the tunnels of the others. Default: gue in Kubernetes, otherwise direct.",
          ),
        names: z
          .enum(sessionNames)
          .default(sessionDefaults.names)
          .describe(
            "How clients return by ticket (TLS 1.3 and 1.2). learned: replicas learn the name of each server's ticket key by TLS handshakes. managed: the control plane creates the keys and rotates them, and agents give them to the servers. off: neither, so clients return only by session id.",
          ),
        serverNames: z
          .array(
            z.string().max(longestHostName).regex(hostName, "enter a name that clients use, such as shop.example.com"),
          )
          .max(mostServerNames)
          .refine((names) => new Set(names).size === names.length, "list each name once")
          .optional()
          .describe(
            "The TLS server names (SNI) with which ticket keys are learned, if servers have different keys for them. Not with names off. Default: without a server name.",
          ),
        ticketKeys: ticketKeys
          .optional()
          .describe("How managed keys reach the servers. Required with managed names, and only with these."),
        ids: z
          .boolean()
          .default(sessionDefaults.ids)
          .describe("Whether clients also return by the session ids of TLS 1.2, which backends report to replicas."),
        ticketHours: z
          .int()
          .min(1)
          .max(mostTicketHours)
          .default(sessionDefaults.ticketHours)
          .describe(
            "How long clients may use a ticket, as your servers are configured. For as long, servers accept former managed keys, and names of former ticket keys still lead to their backend.",
          ),
        fallbacks: z
          .array(z.enum(sessionFallbacks))
          .min(1)
          .max(sessionFallbacks.length)
          .default(sessionDefaults.fallbacks)
          .describe(
            "What carries connections while no backend takes them by TLS session, in this order; plain comes last. proxy: each replica reads the ClientHello and connects the client to the backend of its session. Backends see the replica's address. Connections end when the exposure changes to the proxy or back, and when their replica stops. plain: each connection is placed on its own.",
          ),
        sessionDrainSeconds: z
          .int()
          .min(0)
          .max(mostDrainSeconds)
          .optional()
          .describe(
            "How long clients still return to an instance that is being removed. New clients go elsewhere at once. Default: 0.",
          ),
        drainSeconds: z
          .int()
          .min(0)
          .max(mostDrainSeconds)
          .optional()
          .describe(
            "How long connections to an instance that is being removed continue once no client returns to it. Default: 60.",
          ),
      })
      .meta({ id: "SessionStrategy" }),
    z
      .strictObject({
        type: z.literal("adaptive").describe(strategies.adaptive.summary),
        poolId,
        standby: selector
          .optional()
          .describe(
            "Labels of standby instances. An instance with all of them gets connections only while no other instance can serve. Default: none is standby.",
          ),
        endsConnections: z
          .boolean()
          .optional()
          .describe(
            "Ends connections to an instance that was removed, once its time to drain is over. Otherwise, they last until a side closes them. Default: false.",
          ),
        drainSeconds: z
          .int()
          .min(0)
          .max(mostDrainSeconds)
          .optional()
          .describe("How long an instance that is being removed drains: it gets no new connections. Default: 60."),
        outside: z
          .strictObject({
            replicas: replicaCount.default(2).describe("Number of balancers, each on its own node."),
            delivery: z
              .enum(costDeliveries)
              .optional()
              .describe(
                "How packets reach a backend. Default: nat in Kubernetes, otherwise the best that is possible.",
              ),
          })
          .optional()
          .describe(
            "Also offers the address to clients outside the cluster: balancers announce it by BGP, and place connections by the same costs. They need agents of the roles balancer and adaptive on the same nodes. Default: clients outside don't reach it.",
          ),
      })
      .meta({ id: "AdaptiveStrategy" }),
    z
      .strictObject({
        type: z.literal("cloud").describe(strategies.cloud.summary),
        provider: z.enum(strategyProviders),
        scheme: z.enum(["public", "internal"]).default("public"),
      })
      .meta({ id: "CloudStrategy" }),
  ])
  .meta({ id: "Strategy" });
export type Strategy = z.infer<typeof strategy>;

/** EngineStrategy is the spec of a strategy that selects an engine. */
export type EngineStrategy = Extract<Strategy, { type: EngineStrategyType }>;

/** SessionStrategy is the spec of the strategy that places connections by TLS session. */
export type SessionStrategy = Extract<Strategy, { type: "session" }>;

/** AdaptiveStrategy is the spec of the strategy by which each connection goes to the node where it costs least. */
export type AdaptiveStrategy = Extract<Strategy, { type: "adaptive" }>;

export function hasEngine(strategy: Strategy): strategy is EngineStrategy {
  return strategies[strategy.type].hasEngine;
}

export const strategyType = z.enum(strategyTypes satisfies readonly Strategy["type"][]).meta({ id: "StrategyType" });
