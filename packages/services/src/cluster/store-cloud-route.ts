import type { Tx } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import type { CloudRoute } from "@fairlead/domain/cloud";
import type { UpdateCluster } from "@fairlead/domain/cluster";
import type { ServiceContext } from "../context.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { checkEndpoint } from "./check-endpoint.ts";
import { cloudRouteBox } from "./credentials-box.ts";

type Split = {
  /** The visible part. */
  cloudRoute: CloudRoute | null;
  /** Not visible in what is shown. */
  isNewKey: boolean;
  /** Sealed; absent if unchanged. */
  credentials?: string;
};

/** splitCloudRoute splits the request into what all members may see and what is secret. */
export function splitCloudRoute(
  ctx: ServiceContext,
  before: CloudRoute | null,
  input: UpdateCluster["cloudRoute"],
): Split {
  if (input === undefined) return { cloudRoute: before, isNewKey: false };
  if (input === null) return { cloudRoute: null, isNewKey: false };
  const { credentials, ...cloudRoute } = input;
  const { endpoint } = cloudRoute;
  checkEndpoint(ctx, ["cloudRoute", "endpoint"], endpoint, before?.endpoint);
  if (credentials)
    return { cloudRoute, isNewKey: true, credentials: cloudRouteBox(ctx.settings.secret).seal(credentials) };
  const missing = ["cloudRoute", "credentials"];
  if (!before) throw invalid(missing, "Enter an access key of the account, and its secret.");
  // Pointing a stored key at another server would reveal it.
  if (before.endpoint !== endpoint)
    throw invalid(missing, "Another endpoint requires the access key and its secret again.");
  return { cloudRoute, isNewKey: false };
}

/**
 * storeCloudRoute writes the settings for the reconciler. What was placed with the previous settings is removed with
 * those.
 */
export async function storeCloudRoute(
  tx: Tx,
  ctx: ServiceContext,
  clusterId: string,
  { cloudRoute: settings, credentials }: Split,
): Promise<void> {
  if (settings === null)
    await tx.cloudRoute.updateMany({ where: { clusterId, deletedAt: null }, data: { deletedAt: ctx.now } });
  else if (credentials === undefined) await tx.cloudRoute.update({ where: { clusterId }, data: { settings } });
  else {
    const data = { settings, credentials, deletedAt: null };
    await tx.cloudRoute.upsert({ where: { clusterId }, update: data, create: { clusterId, ...data } });
  }
  await markDirty(tx, "cloud-route", clusterId, { urgent: true });
}
