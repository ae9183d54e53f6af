import type { RoutesLeftOut } from "@fairlead/domain";
import { count, countOf } from "../words/numbers.ts";

/** describeLeftOut says whose routes aren't all listed, and how to get at the others; null while all are. */
export function describeLeftOut(leftOut: readonly RoutesLeftOut[], lookedUp: string | null): string | null {
  if (leftOut.length === 0) return null;
  const parts = leftOut.map(
    ({ nodeName, kept, known }) => `${count(kept)} of ${countOf(known, "route")} of ${nodeName}`,
  );
  const whom = leftOut.length === 1 ? "the router itself is asked" : "these routers themselves are asked";
  return `Kept here: ${parts.join(", ")}. ${lookedUp ? `For ${lookedUp}, ${whom}.` : `Look up an address or a prefix, and ${whom}.`}`;
}

/** describeNoRoute never says that there is no route because none was kept. */
export function describeNoRoute(leftOut: readonly RoutesLeftOut[], lookedUp: string | null): string {
  if (!lookedUp) return "No router of ours has a route yet.";
  if (leftOut.length === 0) return `No router of ours has a route to ${lookedUp}.`;
  return `None of the routes that are kept here leads to ${lookedUp}.`;
}
