import type { RoutingSummary } from "@fairlead/domain/routing";
import { type Figure, Figures, FiguresSkeleton } from "@/components/detail/figures.tsx";
import { Share } from "@/components/detail/share.tsx";
import { count, countOf } from "@/components/words/numbers.ts";

const labels = ["Sessions up", "Announced", "Prefixes routed", "Next hops each"];

/** Sessions, announcements and routes, counted over everything and not just the rows of the tables. */
export function RoutingFigures({ summary }: { summary: RoutingSummary | undefined }) {
  if (!summary) return <FiguresSkeleton labels={labels} />;
  const { sessions, announcements, routes } = summary;
  const { offered, draining, withdrawn } = announcements.byState;
  const { fewestNextHops: least, mostNextHops: most } = routes;
  return (
    <Figures
      figures={[
        {
          label: "Sessions up",
          value: <Share part={sessions.up} total={sessions.total} />,
          note: notes([sessions.down, "down"], [sessions.stale, "stale"]),
          ...toned(sessions.down > 0 ? "bad" : undefined, sessions.stale > 0),
        },
        {
          label: "Announced",
          value: <Share part={offered + draining} total={announcements.total} />,
          note: notes([draining, "draining"], [withdrawn, "withdrawn"], [announcements.stale, "stale"]),
          ...toned(withdrawn > 0 ? "warn" : undefined, announcements.stale > 0),
        },
        {
          label: "Prefixes routed",
          value: count(routes.total),
          note: [`on ${countOf(routes.routerCount, "Fairlead router")}`, notes([routes.stale, "stale"])]
            .filter(Boolean)
            .join(" · "),
          ...toned(undefined, routes.stale > 0),
        },
        {
          label: "Next hops each",
          value: routes.total === 0 ? "none" : least === most ? most : `${least} to ${most}`,
          ...toned(undefined, routes.stale > 0),
        },
      ]}
    />
  );
}

function notes(...counted: [number, string][]): string | null {
  return (
    counted
      .filter(([many]) => many > 0)
      .map(([many, word]) => `${count(many)} ${word}`)
      .join(" · ") || null
  );
}

/** Problems are coloured. Outdated values are grey. */
function toned(tone: Figure["tone"], stale: boolean): Pick<Figure, "tone" | "stale"> {
  return tone ? { tone } : { stale };
}
