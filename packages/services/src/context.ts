import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { type Actor, may, type Permission } from "@fairlead/domain/access";

/** What verbs need to know of how this control plane is installed. */
export type ServiceSettings = {
  /** What agents are told to dial. */
  gatewayUrl: string;
  /** FAIRLEAD_SECRET: what is sealed at rest opens with it. Never part of an answer, a log line or an audit entry. */
  secret: string;
  /** Servers that a cloud's API may be asked at though they are not on the Internet; absent for none. */
  cloudEndpoints?: readonly string[];
  /** Whether the cluster that the controller runs in may be attached as its pod; absent for no. */
  mayAttachOwn?: boolean;
  /** Whether strangers are kept out of the cost calculator; absent for no. */
  isCalculatorClosed?: boolean;
};

/** ServiceContext is what every verb gets: who asks, in which organisation, over which database, and when. */
export type ServiceContext = {
  db: Db;
  actor: Actor;
  organizationId: string;
  now: Date;
  settings: ServiceSettings;
  /** Where whoever asks is, as the edge saw it; absent or null where nobody can tell. */
  clientAddress?: string | null | undefined;
};

/** authorize refuses an actor who lacks a permission. Every verb calls it first; lists do so by listWithin(). */
export function authorize(ctx: ServiceContext, permission: Permission): void {
  if (may(ctx.actor, permission)) return;
  throw new DomainError(
    "forbidden",
    `This needs the permission ${permission}, which ${describeActor(ctx.actor)} does not have.`,
  );
}

function describeActor(actor: Actor): string {
  switch (actor.kind) {
    case "user":
      return `the role ${actor.role}`;
    case "api-key":
      return `the key ${actor.name}`;
    case "agent":
    case "system":
      return actor.name;
    default:
      return actor satisfies never;
  }
}
