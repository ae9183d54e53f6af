import type { Delivery } from "./engines.ts";

/** The engine that can place connections by TLS session: see docs/decisions/0040-sessions-at-layer-4.md. */
export const sessionEngine = "tcx";

/** Deliveries that keep packets as they are. */
export const sessionDeliveries = ["direct", "tunnel", "gue"] as const satisfies readonly Delivery[];

/** How the names of ticket keys become known. */
export const sessionNames = ["off", "learned", "managed"] as const;
export type SessionNames = (typeof sessionNames)[number];

/** What carries connections while no backend takes them by TLS session. plain is always possible. */
export const sessionFallbacks = ["proxy", "plain"] as const;
export type SessionFallback = (typeof sessionFallbacks)[number];

/**
 * For how long no instance takes connections before a Kubernetes cluster gets their delivery without the service address
 * again. A change of delivery ends connections, so it must outlast updates of agents and of pods.
 */
export const sessionTakenForMs = 15 * 60_000;

export const mostServerNames = 8;
export const mostTicketHours = 168;

export const mostDrainSeconds = 86_400;

type SessionDefaults = {
  readonly names: "learned";
  readonly ids: true;
  readonly ticketHours: 24;
  readonly fallbacks: SessionFallback[];
};

/** What a spec means that doesn't set these. */
export const sessionDefaults: SessionDefaults = {
  names: "learned",
  ids: true,
  ticketHours: 24,
  fallbacks: ["proxy", "plain"],
};

/** What a stored spec means that was created before these existed: an update of the control plane must not end connections. */
export const storedSessionDefaults: SessionDefaults = { ...sessionDefaults, fallbacks: ["plain"] };

/** What it means without drain times: clients return to no backend that drains, and connections have a minute. */
export const sessionDrainDefaults = { sessionDrainSeconds: 0, drainSeconds: 60 } as const;
