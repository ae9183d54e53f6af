import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { type Actor, may, type Permission } from "@fairlead/domain/access";
import type { Simulator } from "./exposure/what-if/simulator.ts";

/** The settings of this installation that verbs need. */
export type ServiceSettings = {
  /** The public URL of the dashboard, from which machines also download the agent. */
  url: string;
  /** The address that agents connect to. */
  gatewayUrl: string;
  /** FAIRLEAD_SECRET opens what is sealed at rest. Never part of an answer, a log line or an audit entry. */
  secret: string;
  /** Cloud API servers that may be called though they are not on the internet; absent for none. */
  cloudEndpoints?: readonly string[];
  /** Servers that identity providers may use though they are not on the internet; absent for none. */
  oidcEndpoints?: readonly string[];
  /** Whether the controller's own cluster may be attached through its pod; absent for no. */
  mayAttachOwn?: boolean;
  /** Whether the cost calculator rejects anonymous clients; absent for no. */
  isCalculatorClosed?: boolean;
};

/** ServiceContext is what every verb gets: the actor, the organisation, the database, and the time. */
export type ServiceContext = {
  db: Db;
  actor: Actor;
  organizationId: string;
  now: Date;
  settings: ServiceSettings;
  /** The client's address, as the edge saw it; absent or null where it is unknown. */
  clientAddress?: string | null | undefined;
  /** Predicts how exposures with the strategy adaptive behave; absent where this installation can't. */
  simulator?: Simulator | undefined;
  /** Logs details that the caller must not see, such as why a server that they entered failed; absent where nothing is logged. */
  logDetail?: ((message: string, fields: Record<string, unknown>) => void) | undefined;
};

/** authorize refuses an actor who lacks a permission. Every verb calls it first; lists do so through listWithin(). */
export function authorize(ctx: ServiceContext, permission: Permission): void {
  if (may(ctx.actor, permission)) return;
  throw new DomainError(
    "forbidden",
    `This needs the permission ${permission}, which ${describeLack(ctx.actor, permission)}.`,
  );
}

function describeLack(actor: Actor, permission: Permission): string {
  switch (actor.kind) {
    case "user":
      return actor.denied?.some((each) => each === permission)
        ? `${actor.name} does not have, because an owner took it away`
        : `the role ${actor.role} does not have`;
    case "api-key":
      return `the key ${actor.name} does not have`;
    case "agent":
    case "system":
      return `${actor.name} does not have`;
    default:
      return actor satisfies never;
  }
}
