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
import type { BackendConfig, SealedSessionKeys, SessionServiceConfig } from "@fairlead/domain/load-balancer";
import { type AgentReport, openSessionKey, type SecretBox } from "@fairlead/services/gateway";

type Box = Pick<SecretBox, "open">;

/** toKeys derives the keys of one exposure. The keys of its cluster never leave the control plane. */
function toKeys({ current, previous }: SealedSessionKeys, exposureId: string, box: Box) {
  return create(SessionKeysSchema, {
    current: openSessionKey(box, current, exposureId),
    ...(previous === undefined ? {} : { previous: openSessionKey(box, previous, exposureId) }),
  });
}

export function toSessionService({ sealedKeys, ...session }: SessionServiceConfig, exposureId: string, box: Box) {
  return create(SessionServiceSchema, { ...session, keys: toKeys(sealedKeys, exposureId, box) });
}

export function toBackendRole({ servers }: BackendConfig, box: Box): BackendRole {
  return create(BackendRoleSchema, {
    servers: servers.map(({ sealedKeys, ...server }) => ({
      ...server,
      keys: toKeys(sealedKeys, server.exposureId, box),
    })),
  });
}

type ReportedService = NonNullable<AgentReport["balancer"]>["services"][number];

export function toSession({ problem, backends, address }: SessionStatus): ReportedService["session"] {
  return {
    problem,
    address,
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
    servers: servers.map(({ backendId, ready, message, companion }) => ({ backendId, ready, message, companion })),
  };
}
