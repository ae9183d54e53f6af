import { z } from "zod";
import { hostName, longestHostName } from "../address/host-name.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { plainText } from "../plain-text.ts";

const serverName = z
  .string()
  .max(longestHostName)
  // An address is no name that a certificate is asked for by.
  .regex(new RegExp(hostName.source.replace("^", "^(?=.*[A-Za-z])")), "write a host name, as redis-0.example.com");

/** What to try: an external end is never named here, it is taken from the map, so nothing else can be reached by it. */
export const tryMapping = z
  .strictObject({
    id: idOf("exposure"),
    instance: plainText(253).describe("An instance of the map."),
    by: z.enum(["tcp", "tls"]).default("tcp").describe("tcp connects; tls also shakes hands, and tells what it saw."),
    serverName: serverName
      .optional()
      .describe("The name to ask for by TLS; when absent, the one of the map, or the external host name."),
  })
  .refine(({ by, serverName }) => serverName === undefined || by === "tls", {
    path: ["serverName"],
    message: "a server name takes by: tls",
  });
export type TryMapping = z.infer<typeof tryMapping>;

const certificate = z
  .object({
    subject: z.string(),
    issuer: z.string(),
    names: z.array(z.string()).describe("The host names and addresses that it is for."),
    validFrom: moment,
    validTo: moment,
  })
  .meta({ id: "SeenCertificate" });

/** How one external end answered. */
export const triedEnd = z
  .object({
    externalAddress: z.string(),
    externalPort: z.int(),
    address: z.string().nullable().describe("What was connected to; null when the name led nowhere."),
    resolveMs: z.number().nullable().describe("null where there was no name to resolve."),
    connectMs: z.number().nullable().describe("null when no connection came about."),
    handshakeMs: z.number().nullable().describe("null when none was asked for, or it did not end."),
    tls: z
      .object({
        version: z.string(),
        cipher: z.string(),
        applicationProtocol: z.string().nullable(),
        certificate: certificate.nullable(),
        distrust: z
          .string()
          .describe("Why a client that trusts public authorities would refuse it; empty when it would not."),
      })
      .nullable(),
    problem: z.string().describe("What went wrong, and what to look at; empty when nothing did."),
  })
  .meta({ id: "TriedEnd" });
export type TriedEnd = z.infer<typeof triedEnd>;

export const triedMapping = z
  .object({
    instance: z.string(),
    at: z.date(),
    ends: z.array(triedEnd),
    skipped: z.array(z.string()).describe("Ends that can't be tried, each with the reason."),
  })
  .meta({ id: "TriedMapping" });
export type TriedMapping = z.infer<typeof triedMapping>;
