import { z } from "zod";
import { port } from "../address/address.ts";
import { plainText } from "../plain-text.ts";
import type { Protocol } from "./exposed-port.ts";

const mostPayloadBytes = 1_400;
const inARow = z.int().min(1).max(100, "a hundred at most");
const timing = {
  port: port.optional().describe("Default: the backend's own port."),
  intervalMs: z.int().min(100, "100 ms at least").max(300_000, "five minutes at most").default(1_000),
  timeoutMs: z.int().min(1).max(300_000, "five minutes at most").default(1_000),
  rise: inARow.default(2).describe("Consecutive successes until a backend is up."),
  fall: inARow.default(3).describe("Consecutive failures until a backend is down."),
};
const urlPath = z
  .string()
  .max(253, "253 characters at most")
  .regex(/^\/(?:[!-$&-~]|%[0-9A-Fa-f]{2})*$/, "a path begins with a slash, has no blanks, and writes % as %25");
const wireName = z
  .string()
  .max(253, "253 characters at most")
  .regex(/^[!-~]*$/, "use no blanks");
const http = {
  path: urlPath.default("/"),
  host: wireName
    .optional()
    .describe("The Host header and, with HTTPS, the TLS server name. Certificates are not checked."),
  statuses: z
    .array(z.int().min(100).max(599))
    .max(32)
    .optional()
    .describe("Status codes that count as success. Default: 200 to 399."),
};
const payload = plainText(mostPayloadBytes).refine(
  (text) => new TextEncoder().encode(text).length <= mostPayloadBytes,
  `${mostPayloadBytes} bytes at most`,
);

/** How each replica checks whether a backend is healthy. */
export const healthCheck = z
  .discriminatedUnion("type", [
    z
      .strictObject({ type: z.literal("none").describe("Backends are up while they are ready.") })
      .meta({ id: "NoHealthCheck" }),
    z.strictObject({ type: z.literal("tcp"), ...timing }).meta({ id: "TcpHealthCheck" }),
    z.strictObject({ type: z.literal("http"), ...http, ...timing }).meta({ id: "HttpHealthCheck" }),
    z.strictObject({ type: z.literal("https"), ...http, ...timing }).meta({ id: "HttpsHealthCheck" }),
    z
      .strictObject({ type: z.literal("grpc"), service: wireName.default(""), ...timing })
      .meta({ id: "GrpcHealthCheck" }),
    z
      .strictObject({
        type: z.literal("udp"),
        send: payload.min(1, "enter what to send"),
        expect: payload.default("").describe("Required start of the response. If empty: any response."),
        ...timing,
      })
      .meta({ id: "UdpHealthCheck" }),
  ])
  .meta({ id: "HealthCheck" });
export type HealthCheck = z.infer<typeof healthCheck>;
export type ActiveHealthCheck = Exclude<HealthCheck, { type: "none" }>;

const byDefault: ActiveHealthCheck = { type: "tcp", intervalMs: 1_000, timeoutMs: 1_000, rise: 2, fall: 3 };

/**
 * checkOf is the check for the backends of one port, null for none. A spec has one check for all of its ports. If the check
 * doesn't fit the protocol of a port, the default is used.
 */
export function checkOf(requested: HealthCheck | null, protocol: Protocol): ActiveHealthCheck | null {
  if (requested?.type === "none") return null;
  if (requested && (requested.port !== undefined || (requested.type === "udp") === (protocol === "udp")))
    return requested;
  // There is no generic check for UDP: the protocol on top is unknown.
  return protocol === "tcp" ? byDefault : null;
}
