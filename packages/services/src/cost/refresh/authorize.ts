import type { Permission } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";
import { authorizeInstallation } from "../../control/authorize-installation.ts";

/** authorizePrices lets those see and decide about prices who set Fairlead up, for they are those of all. */
export function authorizePrices(
  ctx: ServiceContext,
  permission: Extract<Permission, `price:${string}`>,
): Promise<void> {
  return authorizeInstallation(
    ctx,
    permission,
    "Prices are the same for all organisations here, so only people of the one that set Fairlead up see and decide how they change.",
  );
}
