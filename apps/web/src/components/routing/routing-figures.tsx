import type { Announcement, Page, Route } from "@fairlead/domain";
import { Figures, FiguresSkeleton } from "@/components/detail/figures.tsx";
import { Share } from "@/components/detail/share.tsx";
import { count, countOf } from "@/components/words/numbers.ts";
import type { Line } from "./lay-topology.ts";

const labels = ["Sessions up", "Announced", "Prefixes routed", "Next hops each"];

/** How much is told, and how much of it arrives. */
export function RoutingFigures(props: {
  lines: readonly Line[] | undefined;
  announcements: Page<Announcement> | undefined;
  routes: Page<Route> | undefined;
}) {
  const { lines, announcements, routes } = props;
  if (!lines || !announcements || !routes) return <FiguresSkeleton labels={labels} />;
  const up = lines.filter((each) => each.isUp).length;
  const stands = (stand: Announcement["stand"]) => announcements.items.filter((each) => each.stand === stand).length;
  const withdrawn = stands("withdrawn");
  const draining = stands("draining");
  const hops = routes.items.map((each) => each.nextHops.length);
  const [least, most] = [Math.min(...hops), Math.max(...hops)];
  return (
    <Figures
      figures={[
        {
          label: "Sessions up",
          value: <Share part={up} total={lines.length} />,
          tone: up < lines.length ? "bad" : undefined,
        },
        {
          label: "Announced",
          value: <Share part={announcements.items.length - withdrawn} total={announcements.items.length} />,
          note: draining > 0 ? `${draining} draining` : null,
          tone: withdrawn > 0 ? "warn" : undefined,
        },
        {
          label: "Prefixes routed",
          value: count(routes.total),
          note: `by ${countOf(new Set(routes.items.map((each) => each.nodeId)).size, "router")} of ours`,
        },
        { label: "Next hops each", value: hops.length === 0 ? "none" : least === most ? most : `${least} to ${most}` },
      ]}
    />
  );
}
