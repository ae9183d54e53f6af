import { z } from "zod";
import { hostName, longestHostName } from "../address/host-name.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { plainText } from "../plain-text.ts";

const serverName = z
  .string()
  .max(longestHostName)
  // SNI allows no IP addresses.
  .regex(new RegExp(hostName.source.replace("^", "^(?=.*[A-Za-z])")), "enter a host name, such as redis-0.example.com");

/** What to try. External ends are taken from the map, never from the input, so that nothing else can be reached. */
export const tryMapping = z
  .strictObject({
    id: idOf("exposure"),
    instance: plainText(253).describe("An instance of the map."),
    by: z
      .enum(["tcp", "tls"])
      .default("tcp")
      .describe("tcp only connects; tls also performs a handshake and reports its result."),
    serverName: serverName
      .optional()
      .describe(
        "The TLS server name (SNI) to send, only with by: tls. Default: the one of the map, or the external host name.",
      ),
  })
  .refine(({ by, serverName }) => serverName === undefined || by === "tls", {
    path: ["serverName"],
    message: "a server name needs by: tls",
  });
export type TryMapping = z.infer<typeof tryMapping>;

const certificate = z
  .object({
    subject: z.string(),
    issuer: z.string(),
    names: z.array(z.string()).describe("The host names and addresses that it is valid for."),
    validFrom: moment,
    validTo: moment,
  })
  .meta({ id: "SeenCertificate" });

/** The result of one external end. */
export const triedEnd = z
  .object({
    externalAddress: z.string(),
    externalPort: z.int(),
    address: z.string().nullable().describe("The address connected to; null if the name didn't resolve."),
    resolveMs: z.number().nullable().describe("null if there was no name to resolve."),
    connectMs: z.number().nullable().describe("null if the connection failed."),
    handshakeMs: z.number().nullable().describe("null if no handshake was requested, or it didn't complete."),
    tls: z
      .object({
        version: z.string(),
        cipher: z.string(),
        applicationProtocol: z.string().nullable(),
        certificate: certificate.nullable(),
        distrust: z
          .string()
          .describe("Why a client that trusts public certificate authorities would reject it; empty if it would not."),
      })
      .nullable(),
    problem: z.string().describe("What failed, and what to check; empty on success."),
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
