import { z } from "zod";
import { port } from "../address/address.ts";
import { plainText } from "../plain-text.ts";
import type { Protocol } from "./exposed-port.ts";

const mostPayloadBytes = 1_400;
const inARow = z.int().min(1).max(100, "a hundred at most");
const timing = {
  port: port.optional().describe("The backend's own when absent."),
  intervalMs: z.int().min(100, "100 ms at least").max(300_000, "five minutes at most").default(1_000),
  timeoutMs: z.int().min(1).max(300_000, "five minutes at most").default(1_000),
  rise: inARow.default(2).describe("How many successes in a row until it counts as up."),
  fall: inARow.default(3).describe("How many failures in a row until it counts as down."),
};
const urlPath = z
  .string()
  .max(253, "253 characters at most")
  .regex(/^\/(?:[!-$&-~]|%[0-9A-Fa-f]{2})*$/, "a path begins with a slash, has no blanks, and writes % as %25");
const wireName = z
  .string()
  .max(253, "253 characters at most")
  .regex(/^[!-~]*$/, "leave out blanks");
const http = {
  path: urlPath.default("/"),
  host: wireName
    .optional()
    .describe("The header Host, and the name that HTTPS asks for; certificates are not checked."),
  statuses: z
    .array(z.int().min(100).max(599))
    .max(32)
    .optional()
    .describe("Those that are good; 200 to 399 when absent."),
};
const payload = plainText(mostPayloadBytes).refine(
  (text) => new TextEncoder().encode(text).length <= mostPayloadBytes,
  `${mostPayloadBytes} bytes at most`,
);

/** How each replica finds out for itself whether a backend is well. */
export const healthCheck = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("none").describe("Backends count as up for as long as they are ready.") }),
    z.strictObject({ type: z.literal("tcp"), ...timing }),
    z.strictObject({ type: z.literal("http"), ...http, ...timing }),
    z.strictObject({ type: z.literal("https"), ...http, ...timing }),
    z.strictObject({ type: z.literal("grpc"), service: wireName.default(""), ...timing }),
    z.strictObject({
      type: z.literal("udp"),
      send: payload.min(1, "say what to send"),
      expect: payload.default("").describe("What the answer begins with; any answer is good when empty."),
      ...timing,
    }),
  ])
  .meta({ id: "HealthCheck" });
export type HealthCheck = z.infer<typeof healthCheck>;
export type ActiveHealthCheck = Exclude<HealthCheck, { type: "none" }>;

const byDefault: ActiveHealthCheck = { type: "tcp", intervalMs: 1_000, timeoutMs: 1_000, rise: 2, fall: 3 };

/**
 * checkOf is the check for the backends of one port, null for none. A spec has one check for all of its ports: where it
 * can't be asked of a port, because that speaks the other protocol, the default stands in.
 */
export function checkOf(requested: HealthCheck | null, protocol: Protocol): ActiveHealthCheck | null {
  if (requested?.type === "none") return null;
  if (requested && (requested.port !== undefined || (requested.type === "udp") === (protocol === "udp")))
    return requested;
  // A UDP port that nothing is known of can't be asked whether it is well.
  return protocol === "tcp" ? byDefault : null;
}
