import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type BackendRole,
  BackendRoleSchema,
  type BackendRoleStatus,
  SessionKeysSchema,
  SessionServiceSchema,
  type SessionStatus,
} from "@fairlead/agent-protocol";
import type {
  BackendConfig,
  SealedSessionKeys,
  SessionBackendConfig,
  SessionServiceConfig,
} from "@fairlead/domain/load-balancer";
import { type AgentReport, openSessionKey, type SecretBox } from "@fairlead/services/gateway";
import { type TicketNames, toTicketKeys } from "./translate-ticket-keys.ts";

type Box = Pick<SecretBox, "open">;

/** toKeys derives the keys of one exposure. The keys of its cluster never leave the control plane. */
function toKeys({ current, previous }: SealedSessionKeys, exposureId: string, box: Box) {
  return create(SessionKeysSchema, {
    current: openSessionKey(box, current, exposureId),
    ...(previous === undefined ? {} : { previous: openSessionKey(box, previous, exposureId) }),
  });
}

export function toSessionService(
  { sealedKeys, ticketKeys, ...session }: SessionServiceConfig,
  exposureId: string,
  box: Box,
) {
  const ticketRevision = BigInt(ticketKeys?.revision ?? 0);
  return create(SessionServiceSchema, { ...session, ticketRevision, keys: toKeys(sealedKeys, exposureId, box) });
}

/** toSessionBackend adds the names of a backend's managed ticket keys, which are the only part of these that a balancer gets. */
export function toSessionBackend({ ticketServer, ...backend }: SessionBackendConfig, names: TicketNames | null) {
  return { ...backend, ticketNames: names && ticketServer !== undefined ? names.of(ticketServer) : [] };
}

export function toBackendRole({ servers }: BackendConfig, box: Box): BackendRole {
  return create(BackendRoleSchema, {
    servers: servers.map(({ sealedKeys, ticketKeys, ...server }) => ({
      ...server,
      keys: toKeys(sealedKeys, server.exposureId, box),
      ...(ticketKeys ? { ticketKeys: toTicketKeys(ticketKeys, server.instance, box) } : {}),
    })),
  });
}

type ReportedService = NonNullable<AgentReport["balancer"]>["services"][number];

export function toSession(status: SessionStatus): ReportedService["session"] {
  const { problem, fallback, backends, address, ticketRevision } = status;
  return {
    problem,
    fallback,
    address,
    ticketRevision: Number(ticketRevision),
    backends: backends.map(({ id, tickets, message, names, takes }) => ({
      id,
      tickets,
      message,
      takes,
      names: names.map(({ name, since, seen }) => ({
        name: Buffer.from(name).toString("hex"),
        since: since ? timestampDate(since) : null,
        seen: seen ? timestampDate(seen) : null,
      })),
    })),
  };
}

export function toBackendStatus({ problem, servers }: BackendRoleStatus): NonNullable<AgentReport["backend"]> {
  return {
    problem,
    servers: servers.map(({ backendId, ready, message, companion, ticketRevision, ticketProblem }) => {
      return { backendId, ready, message, companion, ticketRevision: Number(ticketRevision), ticketProblem };
    }),
  };
}
