import type { RoutingSummary } from "@fairlead/domain/routing";
import { countOf } from "../words/numbers.ts";

type Counts = {
  sessions: RoutingSummary["sessions"];
  announcements: Pick<RoutingSummary["announcements"], "total" | "stale" | "byState">;
};

/** describeRouting summarises the state of routing, problems first. Outdated state never counts as good. */
export function describeRouting({ sessions, announcements }: Counts, clusterName: string | null): string {
  const where = clusterName ? ` in ${clusterName}` : "";
  if (sessions.total === 0) return `BGP sessions and announcements${where}, and the routes in routers' kernels.`;
  const { withdrawn } = announcements.byState;
  const are = (count: number) => (count === 1 ? "is" : "are");
  const of = (part: number, total: number, noun: string, how: string) =>
    part > 0 ? [`${part} of ${countOf(total, noun)} ${are(part)} ${how}`] : [];
  const troubles = [
    ...of(sessions.down, sessions.total, "BGP session", "down"),
    ...of(sessions.stale, sessions.total, "BGP session", "stale"),
    ...of(withdrawn, announcements.total, "announcement", "withdrawn"),
    ...of(announcements.stale, announcements.total, "announcement", "stale"),
  ];
  const last = troubles.pop();
  if (last) return `${troubles.length > 0 ? `${troubles.join(", ")}, and ` : ""}${last}${where}.`;
  return `${sessions.total === 1 ? "The BGP session is" : `All ${sessions.total} BGP sessions are`} up${where}, and all addresses are announced.`;
}
