import { z } from "zod";
import { count } from "../../numbers.ts";
import { hoursOfMonth } from "./hours-of-month.ts";

export const trafficProtocols = ["tcp", "udp", "http", "quic"] as const;
export const tlsWays = ["none", "passthrough", "terminate"] as const;
export const exposedAs = ["one", "per-replica"] as const;

// Far above any existing network: larger values are typing mistakes.
const most = { mbps: 10_000_000, perSecond: 100_000_000, connections: 1_000_000_000, seconds: 86_400 };

/** Less counts as none. Otherwise, quotients of amounts could be infinite. */
const least = 1e-6;

const amount = (limit: number, unit: string) =>
  z
    .number(`enter a number of ${unit}`)
    .min(0, `enter 0 ${unit} or more`)
    .max(limit, `enter at most ${count(limit)} ${unit}`)
    .overwrite((value) => (value < least ? 0 : value));

/** TrafficProfile is the traffic to carry. Omitted values are derived from the others. GB are decimal. */
export const trafficProfile = z
  .strictObject({
    averageMbps: amount(most.mbps, "Mbit/s").describe("Average traffic, both directions together."),
    peakMbps: amount(most.mbps, "Mbit/s").optional().describe("Peak traffic. Default: the average."),
    newConnectionsPerSecond: amount(most.perSecond, "connections per second").default(0),
    connectionDurationSeconds: amount(most.seconds, "seconds")
      .optional()
      .describe("Duration of a connection. Default: derived from the live connections, otherwise 60."),
    activeConnections: amount(most.connections, "connections")
      .optional()
      .describe("Live connections. Default: new connections per second times their duration."),
    requestsPerSecond: amount(most.perSecond, "requests per second")
      .optional()
      .describe("HTTP requests. Default: as many as new connections. Only for http and quic."),
    rulesPerRequest: z
      .int("enter a whole number of rules")
      .min(0)
      .max(10_000)
      .default(0)
      .describe("Rules that a layer 7 balancer evaluates for each request."),
    addedMs: z
      .number()
      .min(0.001, "enter 0.001 ms or more, or leave it out")
      .max(60_000, "enter at most 60,000 ms")
      .optional()
      .describe("Maximum added latency, p99. Default: no limit."),
    listeners: z.int().min(1).max(1_000).default(1).describe("Number of ports: forwarding rules or listeners."),
    protocol: z.enum(trafficProtocols).default("tcp"),
    tls: z.enum(tlsWays).default("none"),
    hoursPerMonth: z
      .number()
      .min(1, "enter 1 hour or more")
      .max(744, "a month has at most 744 hours")
      .default(hoursOfMonth),
    zones: z.int().min(1).max(16).default(1).describe("Number of availability zones of the balancer."),
    replicas: z.int().min(1).max(100_000).default(1).describe("Number of instances behind it."),
    backendMbps: amount(most.mbps, "Mbit/s")
      .optional()
      .describe("The measured capacity of one instance, to judge whether it needs a balancer."),
    corePercentPerMbps: z
      .number()
      .min(least, `enter ${least} % or more, or leave it out`)
      .max(10_000, "enter at most 10,000 %")
      .optional()
      .describe("Instead of a measured capacity: the CPU time of one Mbit/s on an instance, in percent of a core."),
    backendCores: z
      .number()
      .min(0.001, "enter 0.001 cores or more")
      .max(1_024, "enter at most 1,024 cores")
      .optional()
      .describe("Cores of an instance, for corePercentPerMbps. Default: 1."),
    exposedAs: z
      .enum(exposedAs)
      .default("one")
      .describe("One balancer for all instances, or one for each of them (per-replica)."),
    responseShare: z
      .number()
      .min(0, "enter a share from 0 to 1")
      .max(1, "enter a share from 0 to 1")
      .default(0.9)
      .describe("The share of traffic to clients."),
    internetShare: z
      .number()
      .min(0, "enter a share from 0 to 1")
      .max(1, "enter a share from 0 to 1")
      .default(0)
      .describe("The share of traffic to clients that goes to the internet and is billed as such; 0 excludes egress."),
  })
  .superRefine((profile, context) => {
    const {
      averageMbps,
      peakMbps,
      newConnectionsPerSecond: rate,
      connectionDurationSeconds,
      activeConnections,
    } = profile;
    const problem = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (peakMbps !== undefined && peakMbps < averageMbps)
      problem("peakMbps", `the peak can't be below the average of ${averageMbps} Mbit/s: raise it, or leave it out`);
    else if (peakMbps && averageMbps === 0)
      problem("peakMbps", "a peak needs average traffic: enter an average above 0, or a peak of 0");
    if (connectionDurationSeconds !== undefined && activeConnections !== undefined) {
      const allowed = rate * connectionDurationSeconds;
      if (activeConnections > Math.ceil(allowed * 1.05))
        problem(
          "activeConnections",
          `${rate} new connections per second that last ${connectionDurationSeconds} s are ${allowed} at once: enter at most that, or leave one of the three out`,
        );
    }
    if (profile.backendMbps !== undefined && profile.corePercentPerMbps !== undefined)
      problem("corePercentPerMbps", "a measured capacity is set: leave one of the two out");
    if (profile.requestsPerSecond !== undefined && !["http", "quic"].includes(profile.protocol))
      problem("requestsPerSecond", `${profile.protocol} has no requests: choose http or quic, or leave them out`);
    if (profile.tls !== "none" && profile.protocol === "udp")
      problem("tls", "TLS does not run over plain udp: choose quic or tcp, or none");
  })
  .meta({ id: "TrafficProfile" });
export type TrafficProfileInput = z.input<typeof trafficProfile>;
export type TrafficProfile = z.infer<typeof trafficProfile>;
