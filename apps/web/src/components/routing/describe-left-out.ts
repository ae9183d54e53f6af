import type { RoutesLeftOut } from "@fairlead/domain/routing";
import { count, countOf } from "../words/numbers.ts";

/** describeLeftOut names the routers whose routes are not all listed, and how to find the others; null if all are. */
export function describeLeftOut(leftOut: readonly RoutesLeftOut[], lookedUp: string | null): string | null {
  if (leftOut.length === 0) return null;
  const parts = leftOut.map(
    ({ nodeName, kept, known }) => `${count(kept)} of ${countOf(known, "route")} of ${nodeName}`,
  );
  const whom = leftOut.length === 1 ? "the router itself is queried" : "these routers themselves are queried";
  return `Stored here: ${parts.join(", ")}. ${lookedUp ? `For ${lookedUp}, ${whom}.` : `Look up an address or a prefix, and ${whom}.`}`;
}

/** describeNoRoute must not claim that a route doesn't exist if it just wasn't stored. */
export function describeNoRoute(leftOut: readonly RoutesLeftOut[], lookedUp: string | null): string {
  if (!lookedUp) return "Our routers have no routes yet.";
  if (leftOut.length === 0) return `Our routers have no route to ${lookedUp}.`;
  return `None of the stored routes leads to ${lookedUp}.`;
}
