import type { Event } from "@fairlead/domain";

export const eventSource = {
  from: "event_view",
  columns: [
    "id",
    "at",
    "severity",
    "reason",
    "message",
    "subjectKind",
    "subjectId",
    "subjectName",
    "clusterId",
  ] as const satisfies readonly (keyof Event)[],
};
