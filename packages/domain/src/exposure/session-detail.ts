import { z } from "zod";
import { idOf } from "../id.ts";
import { ticketKinds } from "../load-balancer/load-balancer-states.ts";
import { ticketPhases } from "../load-balancer/ticket-rotation.ts";
import { volatile } from "../volatile.ts";
import { sessionFallbacks } from "./session.ts";

const loadBalancerId = idOf("loadBalancer");

/** The name of a server's ticket key, with which its tickets start. It is no secret: clients send it unencrypted. */
export const ticketName = z
  .object({
    name: z.string().describe("In hexadecimal."),
    since: z.date().nullable(),
    seen: volatile(z.date().nullable()).describe("When a replica last got a ticket with it."),
  })
  .meta({ id: "TicketName" });
export type TicketName = z.infer<typeof ticketName>;

/** A server's managed ticket key. */
export const ticketKey = z
  .object({
    name: z.string().describe("The name with which its tickets start, once it has the newest keys. In hexadecimal."),
    createdAt: z.date(),
    revision: z.int().describe("The newest revision of keys that it acknowledged; 0 for none."),
    outdatedSince: z.date().nullable().describe("Since when it lacks the newest revision; null if it has it."),
    problem: z.string().describe("Why it lacks the newest revision, or its current limitation."),
  })
  .meta({ id: "TicketKey" });
export type TicketKey = z.infer<typeof ticketKey>;

/** The rotation of an exposure's managed ticket keys. */
export const ticketRotation = z
  .object({
    message: z.string().describe("What happens in this phase, and what it waits for."),
    phase: z
      .enum(ticketPhases)
      .describe(
        "idle: one epoch. adding: servers accept the next epoch, and replicas get its names. switching: servers encrypt with it. retiring: the last tickets of the former epoch expire.",
      ),
    epoch: z.int().describe("With which servers encrypt in this phase."),
    otherEpoch: z.int().nullable().describe("Which they accept too: the next one while adding, then the former one."),
    revision: z.int().describe("Of the newest keys and names."),
    since: z.date().describe("The start of the phase."),
    nextAt: z
      .date()
      .nullable()
      .describe(
        "When the former epoch is dropped, or the next rotation starts; null if that waits for servers or replicas.",
      ),
    isRequested: z.boolean().describe("Whether the next rotation starts as soon as it can."),
  })
  .meta({ id: "TicketRotation" });
export type TicketRotationDetail = z.infer<typeof ticketRotation>;

export const sessionReplica = z
  .object({
    replicaId: idOf("replica"),
    loadBalancerId,
    bySession: z.boolean().describe("Whether it places connections by TLS session."),
    problem: z.string().describe("Why it doesn't; empty if it does."),
    fallback: z
      .enum(sessionFallbacks)
      .nullable()
      .describe(
        "What carries connections there instead; null if they are placed by session, or before it is reported.",
      ),
    ticketsOutdatedSince: z
      .date()
      .nullable()
      .describe("Since when it lacks the newest names of managed ticket keys; null if it has them, or needs none."),
    observedAt: volatile(z.date().nullable()).describe("null before its agent has reported it."),
  })
  .meta({ id: "SessionReplica" });
export type SessionReplica = z.infer<typeof sessionReplica>;

export const sessionBackend = z
  .object({
    backendId: idOf("backend"),
    loadBalancerId,
    number: z
      .int()
      .nullable()
      .describe(
        "1 to 127, in the timestamps of its connections. It stays with the instance. Backends share numbers if there are more than 127.",
      ),
    takesConnections: z.boolean().describe("Whether it takes connections by TLS session."),
    message: z.string().describe("Why it takes none, or its current limitation."),
    agentId: idOf("agent").nullable().describe("The agent of the role backend on its node; null if there is none."),
    nodeName: z.string().nullable().describe("The node of the instance; null if unknown."),
    tickets: z
      .enum(ticketKinds)
      .describe(
        "Whether its clients can return by ticket. stable: its tickets start with the name of their key. random: they don't. none: it sends no tickets. failed: the handshake failed. unknown: not known yet.",
      ),
    ticketsMessage: z.string().describe("Why its clients can't return by ticket."),
    names: z.array(ticketName).describe("Of its ticket keys, the last seen first."),
    ticketKey: ticketKey.nullable().describe("Its managed key; null if its keys aren't managed, or it has none yet."),
    observedAt: volatile(z.date().nullable()).describe("When a replica last reported about it."),
  })
  .meta({ id: "SessionBackend" });
export type SessionBackend = z.infer<typeof sessionBackend>;

/** How an exposure with the strategy session places connections now. */
export const sessionDetail = z
  .object({
    message: z.string().describe("In one sentence."),
    key: z
      .object({
        epoch: z.int().describe("Rises with every change of the key. The key before it is still accepted."),
        createdAt: z.date(),
      })
      .nullable()
      .describe("The cluster's key for cookies, which changes once a day; null before the first."),
    ticketRotation: ticketRotation
      .nullable()
      .describe("Of managed ticket keys; null if they aren't managed, or before the first."),
    replicas: z.array(sessionReplica),
    backends: z.array(sessionBackend),
  })
  .meta({ id: "SessionDetail" });
export type SessionDetail = z.infer<typeof sessionDetail>;
