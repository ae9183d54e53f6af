/**
 * The words of events about how addresses get to routers and clouds: what agents say, what the reconciler says, what people
 * do that changes it. Each may also be told once with Flapping behind it.
 */
export const routingReasons = [
  // Sessions.
  "BgpSessionUp",
  "BgpSessionDown",
  "BgpSessionNotUp",
  "BgpSessionFlaps",
  "BgpPasswordWrong",
  "BgpTtlTooLow",
  "BgpRouteRefused",
  "BgpNextHopShared",
  "AddressChanged",
  "AddressShared",
  "ClockOff",
  "ClockRight",
  // What balancers announce.
  "Announced",
  "NotAnnounced",
  "AnnouncementDrains",
  // What routers' kernels have.
  "RoutesTakenOver",
  "RoutesKept",
  "RoutesGivenUp",
  "RouteNotWritten",
  "RouteWritten",
  "RouteShadowed",
  "RouteUsed",
  // What clouds bring to replicas.
  "AddressPlaced",
  "AddressMoved",
  "AddressUnserved",
  "AddressRefused",
  "CloudRefused",
  "CloudUnreachable",
  "CloudLeftBehind",
  // What people asked for.
  "NodeDraining",
  "NodeReturned",
  "ExperimentStarted",
  "ExperimentEnded",
] as const;

/** flappingReason is the word for a reason that is told too often. */
export function flappingReason(reason: string): string {
  return `${reason}Flapping`;
}

/** What events can be asked for by, instead of naming many reasons. */
export const eventTopics = ["routing"] as const;
export type EventTopic = (typeof eventTopics)[number];

export function reasonsOf(topic: EventTopic): string[] {
  switch (topic) {
    case "routing":
      return routingReasons.flatMap((reason) => [reason, flappingReason(reason)]);
    default:
      return topic satisfies never;
  }
}
