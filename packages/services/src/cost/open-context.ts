import { type Actor, may } from "@fairlead/domain/access";
import type { ServiceContext } from "../context.ts";

/** OpenContext is what a verb outside any organisation gets: its client may be anonymous. */
export type OpenContext = Pick<ServiceContext, "db" | "now" | "clientAddress"> & {
  /** The actor, if identified: their organisation may have its own prices. */
  caller?: { actor: Actor; organizationId: string } | null;
};

/**
 * bookOwner is the organisation whose price book applies; null for anonymous clients, and for members and keys that may not
 * read it: they could calculate it from the costs.
 */
export function bookOwner({ caller }: Pick<OpenContext, "caller">): string | null {
  return caller && may(caller.actor, "price-book:read") ? caller.organizationId : null;
}
