import type { TicketSoftware } from "../exposure/ticket-keys.ts";
import type { TicketRotation } from "./ticket-rotation.ts";

/**
 * PodTicketName is one of the two names that a pod's key has in each epoch. No agent sees what a server in a pod has read, so
 * tickets have to show it: while the next epoch is added, servers start them with the mark of the present one. Names are accepted a
 * rotation before they are used, and no phase uses that of another.
 */
export type PodTicketName = { epoch: number; isMark: boolean };

/**
 * How many pods have room in a Secret, which has 1 MiB at most: Envoy reads one file with all keys, so each pod has one; for the
 * others, pods share the files.
 */
export const mostTicketPods = { nginx: 500, node: 500, go: 500, envoy: 40, haproxy: 0 } as const satisfies Record<
  TicketSoftware,
  number
>;

/** podTicketNames returns the names of a pod's keys, that with which its server starts tickets first. */
export function podTicketNames(
  { phase, epochs }: Pick<TicketRotation, "phase" | "epochs">,
  software: TicketSoftware,
): PodTicketName[] {
  // Node has one key, so another name would cost its clients one more full handshake, and it has no next one to accept.
  const marks = software === "node" ? [false] : [false, true];
  const all = epochs.flatMap((epoch) => marks.map((isMark) => ({ epoch, isMark })));
  const [first, mark, ...others] = all;
  return phase === "adding" && mark?.isMark && first ? [mark, first, ...others] : all;
}

/** podOf returns the pod of an instance, whose name starts with the namespace. */
export function podOf(instance: string): string {
  return instance.slice(instance.indexOf("/") + 1);
}
