import type { Permission } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";
import { authorizeInstallation } from "../../control/authorize-installation.ts";

/**
 * authorizePrices lets only the organisation that set Fairlead up see and decide price changes, because they apply to
 * all.
 */
export function authorizePrices(
  ctx: ServiceContext,
  permission: Extract<Permission, `price:${string}`>,
): Promise<void> {
  return authorizeInstallation(
    ctx,
    permission,
    "Prices are the same for all organisations here, so only members of the one that set Fairlead up see and decide their changes.",
  );
}
