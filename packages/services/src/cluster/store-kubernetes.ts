import type { Tx } from "@fairlead/db";
import { canonicalJson, conflict, invalid } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";
import type { AttachKubernetes, KubernetesAccess, ShownKubernetes } from "@fairlead/domain/kubernetes";
import type { ServiceContext } from "../context.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { kubernetesBox } from "./kubernetes-box.ts";
import { openKubeconfig } from "./open-kubeconfig.ts";

type Split = {
  /** The visible part. */
  shown: ShownKubernetes | null;
  /** null to detach it; absent if unchanged. */
  access?: KubernetesAccess | null;
};

type Before = Pick<Cluster, "name" | "kind" | "kubernetes" | "exposureCount">;

/** splitKubernetes splits the request into what all members may see and what is secret. */
export function splitKubernetes(
  ctx: ServiceContext,
  before: Before,
  input: AttachKubernetes | null | undefined,
): Split {
  if (input === undefined || (input === null && before.kubernetes === null)) return { shown: before.kubernetes };
  if (input === null) {
    if (before.exposureCount > 0)
      throw conflict(
        `Without access, what ${before.name} exposes could not be managed: it still has ${before.exposureCount} ${before.exposureCount === 1 ? "exposure" : "exposures"}. Delete what it exposes first, or give another kubeconfig.`,
        ["kubernetes"],
      );
    return { shown: null, access: null };
  }
  if (before.kind !== "kubernetes")
    throw invalid(
      ["kubernetes"],
      `Only a cluster of the kind kubernetes has an API to be reached; this is of the kind ${before.kind}.`,
    );
  if (input.inCluster) {
    if (!ctx.settings.mayAttachOwn)
      throw invalid(
        ["kubernetes", "inCluster"],
        "Attaching the cluster that Fairlead itself runs in is not enabled. An operator can enable it with FAIRLEAD_IN_CLUSTER=on; or enter a kubeconfig.",
      );
    const shown = { type: "in-cluster", userType: "in-cluster", server: null, contextName: null } as const;
    return { shown: { ...shown, certificateExpiresAt: null }, access: { type: "in-cluster" } };
  }
  const { contexts, contextName, access, certificateExpiresAt, problems } = openKubeconfig(
    input.kubeconfig ?? "",
    input.context,
    ctx.now,
  );
  if (!access) {
    const isOfContext = input.context !== undefined && contexts.length > 0 && contextName === null;
    throw invalid(["kubernetes", isOfContext ? "context" : "kubeconfig"], problems.join(" "));
  }
  const { server, auth } = access;
  return { shown: { type: "kubeconfig", server, contextName, userType: auth.type, certificateExpiresAt }, access };
}

/**
 * storeKubernetes writes the access for the reconciler, which checks the API at once. It returns whether anything
 * changed.
 */
export async function storeKubernetes(
  tx: Tx,
  ctx: ServiceContext,
  clusterId: string,
  { shown, access }: Split,
): Promise<boolean> {
  if (access === undefined) return false;
  if (access === null || shown === null) await tx.kubernetesAccess.deleteMany({ where: { clusterId } });
  else {
    const box = kubernetesBox(ctx.settings.secret);
    const stored = await tx.kubernetesAccess.findUnique({ where: { clusterId }, omit: { sealed: false } });
    const settings = JSON.parse(JSON.stringify(shown));
    const isSame =
      stored !== null &&
      canonicalJson(stored.settings) === canonicalJson(settings) &&
      openOrNull(() => box.open(stored.sealed)) === canonicalJson(access);
    if (isSame) return false;
    const data = { settings, sealed: box.seal(access) };
    await tx.kubernetesAccess.upsert({
      where: { clusterId },
      update: { ...data, generation: { increment: 1 } },
      create: { clusterId, ...data },
    });
  }
  await markDirty(tx, "kubernetes", clusterId, { urgent: true });
  return true;
}

/** Access sealed with another secret can't be opened, only replaced. */
function openOrNull(open: () => KubernetesAccess): string | null {
  try {
    return canonicalJson(open());
  } catch {
    return null;
  }
}
