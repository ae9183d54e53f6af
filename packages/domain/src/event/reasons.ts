import type { severities } from "./severities.ts";

type Severity = (typeof severities)[number];

/** What events can be filtered by, instead of naming many reasons. */
export const eventTopics = ["routing"] as const;
export type EventTopic = (typeof eventTopics)[number];

type ReasonFacts = {
  /**
   * reported: a warning if the reporting agent marks it as one, else info. condition: follows from the status of the condition
   * and the phase of its exposure. by-case: set where the event is recorded.
   */
  severity: Severity | "reported" | "condition" | "by-case";
  by: "agents" | "control-plane" | "both";
  topic: EventTopic | null;
  /** Whether an event with another message counts as a new event, such as the next revision. For all others only the reason counts. */
  isNewsByMessage?: true;
};

/** Why events are recorded. Agents of a newer version may report others. */
export const eventReasons = {
  // BGP sessions.
  BgpSessionUp: { severity: "reported", by: "agents", topic: "routing" },
  BgpSessionDown: { severity: "reported", by: "agents", topic: "routing" },
  BgpSessionNotUp: { severity: "reported", by: "agents", topic: "routing" },
  BgpSessionFlaps: { severity: "reported", by: "agents", topic: "routing" },
  BgpPasswordWrong: { severity: "reported", by: "agents", topic: "routing" },
  BgpTtlTooLow: { severity: "reported", by: "agents", topic: "routing" },
  BgpRouteRefused: { severity: "reported", by: "agents", topic: "routing" },
  BgpNextHopShared: { severity: "reported", by: "agents", topic: "routing" },
  AddressChanged: { severity: "reported", by: "agents", topic: "routing" },
  // What balancers announce.
  Announced: { severity: "reported", by: "agents", topic: "routing" },
  NotAnnounced: { severity: "reported", by: "agents", topic: "routing" },
  AnnouncementDrains: { severity: "reported", by: "agents", topic: "routing" },
  // What routers' kernels have.
  RoutesTakenOver: { severity: "reported", by: "agents", topic: "routing" },
  RoutesKept: { severity: "reported", by: "agents", topic: "routing" },
  RoutesGivenUp: { severity: "reported", by: "agents", topic: "routing" },
  RouteNotWritten: { severity: "reported", by: "agents", topic: "routing" },
  RouteWritten: { severity: "reported", by: "agents", topic: "routing" },
  RouteShadowed: { severity: "reported", by: "agents", topic: "routing" },
  RouteUsed: { severity: "reported", by: "agents", topic: "routing" },
  SharesUnknown: { severity: "reported", by: "agents", topic: "routing" },
  SharesKnown: { severity: "reported", by: "agents", topic: "routing" },
  // What carries packets.
  BackendDown: { severity: "reported", by: "agents", topic: null },
  BackendUp: { severity: "reported", by: "agents", topic: null },
  EngineChosen: { severity: "reported", by: "agents", topic: null },
  EngineFailed: { severity: "reported", by: "agents", topic: null },
  FlowsUnshared: { severity: "reported", by: "agents", topic: null },
  // What a replica learns about the keys of its backends' TLS tickets.
  TicketNameLearned: { severity: "reported", by: "agents", topic: null },
  TicketNameChanged: { severity: "reported", by: "agents", topic: null },
  TicketNamesShared: { severity: "reported", by: "agents", topic: null },
  TicketNameLacking: { severity: "reported", by: "agents", topic: null },
  TicketNameForeign: { severity: "reported", by: "agents", topic: null },
  SessionIDsMissing: { severity: "reported", by: "agents", topic: null },
  // What carries the connections of one backend of a service by TLS session.
  BackendByProxy: { severity: "reported", by: "agents", topic: null },
  BackendBySession: { severity: "reported", by: "agents", topic: null },
  // What nodes send each other about their load.
  NodeFiguresMissing: { severity: "reported", by: "agents", topic: null },
  NodeFiguresBack: { severity: "reported", by: "agents", topic: null },
  NodeFiguresForged: { severity: "reported", by: "agents", topic: null },
  NodeClockWrong: { severity: "reported", by: "agents", topic: null },
  // What affects where a node sends connections.
  NodeClockChanged: { severity: "reported", by: "agents", topic: null },
  NodeCoresChanged: { severity: "reported", by: "agents", topic: null },
  NodeCostsLate: { severity: "reported", by: "agents", topic: null },
  NodeCountsWrong: { severity: "reported", by: "agents", topic: null },
  NodeNotPressed: { severity: "reported", by: "agents", topic: null },
  NodePressed: { severity: "reported", by: "agents", topic: null },
  NodePressureUnknown: { severity: "reported", by: "agents", topic: null },
  ServiceElsewhere: { severity: "reported", by: "agents", topic: null },
  ServiceOverloaded: { severity: "reported", by: "agents", topic: null },
  ServiceRejected: { severity: "reported", by: "agents", topic: null },
  ServiceRelieved: { severity: "reported", by: "agents", topic: null },
  // What an agent could not send.
  EventsLost: { severity: "reported", by: "agents", topic: null },
  // What the gateway concludes from reports.
  AddressShared: { severity: "reported", by: "control-plane", topic: "routing" },
  ClockOff: { severity: "warning", by: "control-plane", topic: "routing" },
  ClockRight: { severity: "info", by: "control-plane", topic: "routing" },
  // Agents.
  AgentReporting: { severity: "info", by: "control-plane", topic: null },
  AgentBack: { severity: "info", by: "control-plane", topic: null },
  AgentSilent: { severity: "problem", by: "control-plane", topic: null },
  AgentRestarted: { severity: "info", by: "control-plane", topic: null },
  AgentVersionChanged: { severity: "info", by: "control-plane", topic: null },
  AgentWarning: { severity: "warning", by: "control-plane", topic: null, isNewsByMessage: true },
  AgentEnrolled: { severity: "info", by: "control-plane", topic: null },
  AgentRevoked: { severity: "warning", by: "control-plane", topic: null },
  AgentRolesChanged: { severity: "info", by: "control-plane", topic: null },
  AgentRolesRefused: { severity: "problem", by: "control-plane", topic: null },
  ConfigApplied: { severity: "info", by: "control-plane", topic: null, isNewsByMessage: true },
  ReportsDropped: { severity: "warning", by: "control-plane", topic: null },
  FiguresLate: { severity: "reported", by: "control-plane", topic: null },
  FiguresRefused: { severity: "reported", by: "control-plane", topic: null },
  ConfigRefused: { severity: "problem", by: "both", topic: null },
  // Addresses in clouds.
  AddressPlaced: { severity: "info", by: "control-plane", topic: "routing" },
  AddressMoved: { severity: "warning", by: "control-plane", topic: "routing" },
  AddressUnserved: { severity: "problem", by: "control-plane", topic: "routing" },
  AddressRefused: { severity: "problem", by: "control-plane", topic: "routing" },
  CloudRefused: { severity: "problem", by: "control-plane", topic: "routing" },
  CloudUnreachable: { severity: "warning", by: "control-plane", topic: "routing" },
  CloudLeftBehind: { severity: "problem", by: "control-plane", topic: "routing" },
  // Actions of members.
  SpecChanged: { severity: "info", by: "control-plane", topic: null },
  NodeDraining: { severity: "by-case", by: "control-plane", topic: "routing" },
  NodeReturned: { severity: "info", by: "control-plane", topic: "routing" },
  Paused: { severity: "info", by: "control-plane", topic: null },
  Resumed: { severity: "info", by: "control-plane", topic: null },
  ExperimentStarted: { severity: "info", by: "control-plane", topic: "routing" },
  ExperimentEnded: { severity: "by-case", by: "control-plane", topic: "routing" },
  MoveStarted: { severity: "info", by: "control-plane", topic: "routing" },
  MoveStepped: { severity: "info", by: "control-plane", topic: "routing", isNewsByMessage: true },
  MovePaused: { severity: "warning", by: "control-plane", topic: "routing" },
  MoveResumed: { severity: "info", by: "control-plane", topic: "routing" },
  MoveRollsBack: { severity: "warning", by: "control-plane", topic: "routing" },
  MoveEnded: { severity: "by-case", by: "control-plane", topic: "routing" },
  // Rotations of managed ticket keys.
  TicketKeysCreated: { severity: "info", by: "control-plane", topic: null },
  TicketKeysAdding: { severity: "info", by: "control-plane", topic: null },
  TicketKeysSwitching: { severity: "info", by: "control-plane", topic: null },
  TicketKeysRetiring: { severity: "info", by: "control-plane", topic: null },
  TicketKeysDropped: { severity: "info", by: "control-plane", topic: null },
  TicketKeysInUse: { severity: "warning", by: "control-plane", topic: null },
  TicketSecretNotWritten: { severity: "warning", by: "control-plane", topic: null, isNewsByMessage: true },
  TicketSecretRepaired: { severity: "warning", by: "control-plane", topic: null },
  // Kubernetes clusters, and the metrics of clouds.
  ClusterReached: { severity: "info", by: "control-plane", topic: null },
  PermissionMissing: { severity: "problem", by: "control-plane", topic: null },
  ClusterUnreachable: { severity: "problem", by: "control-plane", topic: null },
  ClusterRefused: { severity: "problem", by: "control-plane", topic: null },
  CloudMetricsRead: { severity: "info", by: "control-plane", topic: null },
  CloudMetricsPartial: { severity: "warning", by: "control-plane", topic: null },
  CloudMetricsUnreachable: { severity: "warning", by: "control-plane", topic: null },
  CloudMetricsRefused: { severity: "problem", by: "control-plane", topic: null },
  // Prices.
  PricesHeld: { severity: "warning", by: "control-plane", topic: null },
  PriceRefreshFailed: { severity: "warning", by: "control-plane", topic: null },
  // Exposures.
  Applied: { severity: "info", by: "control-plane", topic: null },
  Corrected: { severity: "warning", by: "control-plane", topic: null },
  ExposureRemoved: { severity: "info", by: "control-plane", topic: null },
  // Conditions of exposures.
  Serving: { severity: "condition", by: "control-plane", topic: null },
  PartlyServing: { severity: "condition", by: "control-plane", topic: null },
  NotServing: { severity: "condition", by: "control-plane", topic: null },
  Failed: { severity: "condition", by: "control-plane", topic: null },
  Waiting: { severity: "condition", by: "control-plane", topic: null },
  NoInstances: { severity: "condition", by: "control-plane", topic: null },
  TooManyInstances: { severity: "condition", by: "control-plane", topic: null },
  NoAgents: { severity: "condition", by: "control-plane", topic: null },
  Placed: { severity: "condition", by: "control-plane", topic: null },
  Carried: { severity: "condition", by: "control-plane", topic: null },
  ReplicaSilent: { severity: "condition", by: "control-plane", topic: null },
  NotCarried: { severity: "condition", by: "control-plane", topic: null },
  NotReported: { severity: "condition", by: "control-plane", topic: null },
  InstancesUnknown: { severity: "condition", by: "control-plane", topic: null },
  NoBackends: { severity: "condition", by: "control-plane", topic: null },
  ReplicasSilent: { severity: "condition", by: "control-plane", topic: null },
  BackendsDown: { severity: "condition", by: "control-plane", topic: null },
  NotChecked: { severity: "condition", by: "control-plane", topic: null },
  BackendsUp: { severity: "condition", by: "control-plane", topic: null },
  InstancesOmitted: { severity: "condition", by: "control-plane", topic: null },
  BySession: { severity: "condition", by: "control-plane", topic: null },
  NotBySession: { severity: "condition", by: "control-plane", topic: null },
  ByProxy: { severity: "condition", by: "control-plane", topic: null },
  BackendsNotBySession: { severity: "condition", by: "control-plane", topic: null },
  ByCost: { severity: "condition", by: "control-plane", topic: null },
  NotByCost: { severity: "condition", by: "control-plane", topic: null },
  SharesApplied: { severity: "condition", by: "control-plane", topic: null },
  SharesIgnored: { severity: "condition", by: "control-plane", topic: null },
  AddressLacking: { severity: "condition", by: "control-plane", topic: null },
  Refused: { severity: "condition", by: "control-plane", topic: null },
  DriverFailed: { severity: "condition", by: "control-plane", topic: null },
  InternalError: { severity: "condition", by: "control-plane", topic: null },
  NoDriver: { severity: "condition", by: "control-plane", topic: null },
  NotAttached: { severity: "condition", by: "control-plane", topic: null },
} as const satisfies Record<string, ReasonFacts>;

export type EventReason = keyof typeof eventReasons;
export const eventReasonNames = Object.keys(eventReasons) as EventReason[];

type ReasonOf<Kind> = {
  [Name in EventReason]: (typeof eventReasons)[Name]["severity"] extends Kind ? Name : never;
}[EventReason];
/** The reasons whose severity is always the same. */
export type SettledReason = ReasonOf<Severity>;
export type ReportedReason = ReasonOf<"reported">;
export type ConditionReason = ReasonOf<"condition">;

export function severityOf(reason: SettledReason): Severity {
  return eventReasons[reason].severity;
}

export function isNewsByMessage(reason: string): boolean {
  const facts: Readonly<Record<string, ReasonFacts>> = eventReasons;
  return Object.hasOwn(facts, reason) && facts[reason]?.isNewsByMessage === true;
}

/** flappingReason is the reason of the event which records that another reason flaps. */
export function flappingReason(reason: string): string {
  return `${reason}Flapping`;
}

export function reasonsOf(topic: EventTopic): string[] {
  const reasons = eventReasonNames.filter((name) => eventReasons[name].topic === topic);
  return reasons.flatMap((reason) => [reason, flappingReason(reason)]);
}
