import { DomainError } from "@fairlead/domain";
import type { KubernetesAccess, KubernetesPermissionSeen, KubernetesPhase } from "@fairlead/domain/kubernetes";
import {
  checkPermissions,
  explainKubernetesError,
  type KubernetesApi,
  KubernetesRefused,
  readVersion,
} from "@fairlead/drivers/kubernetes";

/** Found is the result of one check of a cluster's API. */
export type Found = {
  phase: Exclude<KubernetesPhase, "checking">;
  message: string;
  /** null if not returned this time. */
  version: string | null;
  /** null if not checked this time. */
  permissions: KubernetesPermissionSeen[] | null;
};

/** Opened is a cluster's API, and the access that opened it. */
export type Opened = { access: KubernetesAccess; api: KubernetesApi };

/**
 * look checks whether an API is reachable, and what it grants. An unreachable API is a finding, not a failure of ours.
 */
export async function look(
  open: () => Opened,
  { isPermissionDue }: { isPermissionDue: boolean },
  signal: AbortSignal,
): Promise<Found> {
  let version: string | null = null;
  try {
    const opened = open();
    version = await asking(opened, "read its version", readVersion(opened.api.calls, signal), signal);
    if (!isPermissionDue) return { phase: "connected", message: "", version, permissions: null };
    const permissions = await asking(opened, "ask what is allowed", checkPermissions(opened.api.calls, signal), signal);
    const missing = permissions.filter((each) => each.required && !each.granted);
    if (missing.length === 0) return { phase: "connected", message: "", version, permissions };
    return { phase: "degraded", message: describeMissing(missing), version, permissions };
  } catch (error) {
    signal.throwIfAborted();
    // A secret that can't be opened must be set again by a user.
    const isRefusal = error instanceof KubernetesRefused || error instanceof DomainError;
    const message = error instanceof Error ? error.message : String(error);
    const sentence = /[.!]$/.test(message) ? message : `${message}.`;
    return { phase: isRefusal ? "refused" : "unreachable", message: sentence, version, permissions: null };
  }
}

async function asking<T>({ access }: Opened, what: string, answer: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    signal.throwIfAborted();
    throw explainKubernetesError(error, { what, access });
  }
}

const mostNamed = 4;

function describeMissing(missing: KubernetesPermissionSeen[]): string {
  const named = missing.slice(0, mostNamed).map(({ verb, resource }) => `${verb} ${resource}`);
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : "";
  return `It isn't allowed to ${named.join(", ")}${more}. Apply the manifest that grants it.`;
}
