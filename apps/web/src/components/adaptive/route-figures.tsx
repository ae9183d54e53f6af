import type { AdaptiveRoute } from "@fairlead/domain/exposure";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { Badge } from "@/components/ui/status/badge.tsx";
import { count, decimals } from "@/components/words/numbers.ts";
import { type Entry, isLocal } from "./lay-routes.ts";

type Props = { route: AdaptiveRoute; isUsed: boolean };

/** The share of a route, if its entry had new connections. */
export function RouteShare({ route: { share }, isUsed }: Props) {
  if (!isUsed) return <span className="text-muted">–</span>;
  return <span className={share > 0 ? "font-medium" : "text-muted"}>{formatQuantity(share, "ratio")}</span>;
}

/** A bar as long as the share. The text next to it has the same value. */
export function ShareBar({ share }: { share: number }) {
  return (
    <span aria-hidden className="block h-1 overflow-hidden rounded-full bg-line">
      <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
  );
}

export function RouteMarks({ route }: { route: AdaptiveRoute }) {
  return (
    <>
      {isLocal(route) ? <Badge tone="accent">local</Badge> : null}
      {route.byWeight ? <Badge tone="warn">by weight</Badge> : null}
    </>
  );
}

/** How many connections from outside the balancers of an entry took. */
export function FromOutside({ entry: { outside } }: { entry: Entry }) {
  if (!outside) return null;
  return (
    <span className="block truncate font-normal text-muted text-xs">
      {count(outside.all)} from outside, {count(outside.open)} open
    </span>
  );
}

/** What a route is compared by. */
export function RouteFigures({ route }: { route: AdaptiveRoute }) {
  const { costMs, roundTripMs, inFlight } = route;
  const figures = [
    costMs === null ? null : `cost ${formatQuantity(costMs, "ms")}`,
    isLocal(route) ? null : `round trip ${roundTripMs === null ? "unknown" : formatQuantity(roundTripMs, "ms")}`,
    inFlight === null ? "in flight unknown" : `${decimals(inFlight, 1)} in flight`,
  ];
  return (
    <span className="flex flex-wrap gap-x-3 text-muted text-xs">
      {figures.map((each) =>
        each === null ? null : (
          <span key={each} className="whitespace-nowrap">
            {each}
          </span>
        ),
      )}
    </span>
  );
}

/** Why the routes of an entry have no shares. */
export function NoNewConnections() {
  return <span className="block font-normal text-muted text-xs">no new connections</span>;
}
