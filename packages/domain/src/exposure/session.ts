import type { Delivery } from "./engines.ts";

/** The engine that can place connections by TLS session: see docs/decisions/0040-sessions-at-layer-4.md. */
export const sessionEngine = "tcx";

/** Deliveries that keep packets as they are. */
export const sessionDeliveries = ["direct", "tunnel", "gue"] as const satisfies readonly Delivery[];

/** How the names of ticket keys become known. */
export const sessionNames = ["off", "learned", "managed"] as const;

/**
 * For how long no instance takes connections before a Kubernetes cluster gets their delivery without the service address
 * again. A change of delivery ends connections, so it must outlast updates of agents and of pods.
 */
export const sessionTakenForMs = 15 * 60_000;

export const mostServerNames = 8;
export const mostTicketHours = 168;

/** What a spec means that doesn't set these. Those stored by earlier versions have none of them. */
export const sessionDefaults = { names: "learned", ids: true, ticketHours: 24 } as const;
