import type { KubernetesPermissionSeen } from "@fairlead/domain/kubernetes";
import type { KubernetesCalls } from "../api/calls.ts";
import { type NeededPermission, neededPermissions } from "./permissions.ts";

/** Few enough not to overload a busy API. */
const atOnce = 4;

/** checkPermissions checks each needed permission in all namespaces. It changes nothing. */
export async function checkPermissions(
  calls: Pick<KubernetesCalls, "isAllowed">,
  signal: AbortSignal,
  needed: readonly NeededPermission[] = neededPermissions,
): Promise<KubernetesPermissionSeen[]> {
  const seen: KubernetesPermissionSeen[] = [];
  for (let from = 0; from < needed.length; from += atOnce) {
    const answers = needed.slice(from, from + atOnce).map(async ({ verb, group, resource, name, why, required }) => ({
      verb,
      resource: name,
      namespace: null,
      why,
      required,
      granted: await calls.isAllowed({ verb, group, resource }, signal),
    }));
    seen.push(...(await Promise.all(answers)));
  }
  return seen;
}
