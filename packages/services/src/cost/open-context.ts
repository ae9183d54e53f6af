import { type Actor, may } from "@fairlead/domain/access";
import type { ServiceContext } from "../context.ts";

/** OpenContext is what a verb gets that belongs to no organisation: it may be anybody who asks. */
export type OpenContext = Pick<ServiceContext, "db" | "now" | "clientAddress"> & {
  /** Who asks, where that is somebody: those have prices of their own. */
  asker?: { actor: Actor; organizationId: string } | null;
};

/** bookOwner is the organisation whose price book counts for whoever asks; null for strangers, and keys that may not read it. */
export function bookOwner({ asker }: OpenContext): string | null {
  return asker && may(asker.actor, "price-book:read") ? asker.organizationId : null;
}
