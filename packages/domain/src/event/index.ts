export * from "./dampen-events.ts";
export * from "./event.ts";
export * from "./feed-entry.ts";
export * from "./new-event.ts";
export * from "./reasons.ts";
export * from "./severities.ts";
export * from "./subject.ts";
export * from "./subject-kinds.ts";
