import type { Tx } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import { type CloudMetrics, cloudMetricsEndpoints } from "@fairlead/domain/cloud";
import type { UpdateCluster } from "@fairlead/domain/cluster";
import type { ServiceContext } from "../context.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { checkEndpoint } from "./check-endpoint.ts";
import { cloudMetricsBox } from "./credentials-box.ts";

type Split = {
  /** The visible part. */
  cloudMetrics: CloudMetrics | null;
  /** Not visible in what is shown. */
  isNewKey: boolean;
  /** Sealed; absent if unchanged. */
  credentials?: string;
};

/** splitCloudMetrics splits the request into what all members may see and what is secret. */
export function splitCloudMetrics(
  ctx: ServiceContext,
  before: CloudMetrics | null,
  input: UpdateCluster["cloudMetrics"],
): Split {
  if (input === undefined) return { cloudMetrics: before, isNewKey: false };
  if (input === null) return { cloudMetrics: null, isNewKey: false };
  const { credentials, ...cloudMetrics } = input;
  for (const field of cloudMetricsEndpoints)
    checkEndpoint(ctx, ["cloudMetrics", field], cloudMetrics[field], before?.[field]);
  if (credentials)
    return { cloudMetrics, isNewKey: true, credentials: cloudMetricsBox(ctx.settings.secret).seal(credentials) };
  const missing = ["cloudMetrics", "credentials"];
  if (!before) throw invalid(missing, "Enter an access key of the account that may read its metrics, and its secret.");
  // Pointing a stored key at another server would reveal it.
  if (cloudMetricsEndpoints.some((field) => before[field] !== cloudMetrics[field]))
    throw invalid(missing, "Another endpoint requires the access key and its secret again.");
  return { cloudMetrics, isNewKey: false };
}

/**
 * storeCloudMetrics writes the settings for the reconciler. Without settings the key is deleted too, and what was read
 * stays.
 */
export async function storeCloudMetrics(
  tx: Tx,
  clusterId: string,
  { cloudMetrics: settings, credentials }: Split,
): Promise<void> {
  const generation = { increment: 1 };
  if (settings === null) await tx.cloudMetrics.deleteMany({ where: { clusterId } });
  else if (credentials === undefined)
    await tx.cloudMetrics.update({ where: { clusterId }, data: { settings, generation } });
  else {
    const data = { settings, credentials };
    await tx.cloudMetrics.upsert({
      where: { clusterId },
      update: { ...data, generation },
      create: { clusterId, ...data },
    });
  }
  await markDirty(tx, "cloud-metrics", clusterId, { urgent: true });
}
