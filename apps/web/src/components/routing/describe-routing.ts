import type { Announcement } from "@fairlead/domain";
import { countOf } from "../words/numbers.ts";
import type { Line } from "./lay-topology.ts";

/** describeRouting says how routing stands, trouble first. */
export function describeRouting(
  lines: readonly Pick<Line, "isUp">[],
  announcements: readonly Pick<Announcement, "stand">[],
  clusterName: string | null,
): string {
  const where = clusterName ? ` in ${clusterName}` : "";
  if (lines.length === 0) return `Who tells routers what${where}, and what their kernels have of it.`;
  const down = lines.filter((each) => !each.isUp).length;
  const withdrawn = announcements.filter((each) => each.stand === "withdrawn").length;
  const are = (count: number) => (count === 1 ? "is" : "are");
  const troubles = [
    ...(down > 0 ? [`${down} of ${countOf(lines.length, "BGP session")} ${are(down)} down`] : []),
    ...(withdrawn > 0
      ? [`${withdrawn} of ${countOf(announcements.length, "announcement")} ${are(withdrawn)} withdrawn`]
      : []),
  ];
  if (troubles.length > 0) return `${troubles.join(", and ")}${where}.`;
  return `${lines.length === 1 ? "The BGP session is" : `All ${lines.length} BGP sessions are`} up${where}, and all that should be announced is.`;
}
