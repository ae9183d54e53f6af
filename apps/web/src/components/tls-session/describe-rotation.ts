import type { TicketKeys } from "@fairlead/domain/exposure";

type Software = TicketKeys["software"];

/** describeRotation returns what a rotation of ticket keys means for the clients of this software, before it starts. */
export function describeRotation(software: Software, ticketHours: number): string {
  const kept = `accept the former one for ${ticketHours} ${ticketHours === 1 ? "hour" : "hours"} more`;
  switch (software) {
    case "nginx":
    case "envoy":
    case "go":
      return `Servers encrypt with a new key, and ${kept}. Clients resume their sessions meanwhile.`;
    case "haproxy":
      return `Servers encrypt with a new key, and ${kept}. HAProxy has three places for keys, so meanwhile it accepts no tickets of other servers: if one fails, its clients need a full handshake.`;
    case "node":
      return "Node.js has one key, which the new one replaces. Each client returns to its server, but needs one full handshake there.";
    default:
      return software satisfies never;
  }
}
