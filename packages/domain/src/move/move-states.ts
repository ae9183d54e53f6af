/** planned: no step is applied yet. watching: the last applied step is watched. The last three are final. */
export const moveStates = [
  "planned",
  "watching",
  "paused",
  "rolling-back",
  "done",
  "rolled-back",
  "cancelled",
] as const;

/** What a gate reads of the target. */
export const moveGateNames = ["backends", "errors", "latency", "capacity"] as const;

/** open: within its limit. closed: beyond it. unmeasured: no figures, too few of them, or no limit. */
export const moveGateStates = ["open", "closed", "unmeasured"] as const;
