import { type Actor, may } from "@fairlead/domain/access";
import type { ServiceContext } from "../context.ts";

/** OpenContext is what a verb outside any organisation gets: its client may be anonymous. */
export type OpenContext = Pick<ServiceContext, "db" | "now" | "clientAddress"> & {
  /** The actor, if identified: their organisation may have its own prices. */
  asker?: { actor: Actor; organizationId: string } | null;
};

/**
 * bookOwner is the organisation whose price book applies; null for anonymous clients, and keys that may not read it.
 */
export function bookOwner({ asker }: OpenContext): string | null {
  return asker && may(asker.actor, "price-book:read") ? asker.organizationId : null;
}
