import type { TicketSoftware } from "@fairlead/domain/exposure";
import type { Change } from "./driver.ts";

/** PodSecretRef is a Secret that belongs to an exposure. */
export type PodSecretRef = { exposureId: string; namespace: string; name: string };

export type PodTicketKey = { name: Buffer; secret: Buffer };

/** PodTickets is the content of a Secret from which pods read their ticket keys. */
export type PodTickets = PodSecretRef & {
  software: TicketSoftware;
  /** Where pods mount it. */
  folder: string;
  /** The keys of each pod, that with which its server starts tickets first. */
  pods: readonly { pod: string; keys: readonly PodTicketKey[] }[];
};

/** PodTicketsDriver writes ticket keys for pods. Its errors never contain keys. */
export interface PodTicketsDriver {
  set(tickets: PodTickets, signal: AbortSignal): Promise<Change[]>;
  /** remove returns what it removed. A Secret for which the permission was revoked stays: an exposure must not wait for that. */
  remove(secret: PodSecretRef, signal: AbortSignal): Promise<Change[]>;
}
