import type { KubernetesPermissionSeen } from "@fairlead/domain/kubernetes";
import type { KubernetesApi } from "./api.ts";
import { type NeededPermission, neededPermissions } from "./permissions.ts";

/** Few enough not to overload a busy API. */
const atOnce = 4;
const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/** checkPermissions checks each needed permission in all namespaces. It changes nothing. */
export async function checkPermissions(
  api: Pick<KubernetesApi, "create">,
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
      granted: await isGranted(api, { verb, group, resource }, signal),
    }));
    seen.push(...(await Promise.all(answers)));
  }
  return seen;
}

async function isGranted(
  api: Pick<KubernetesApi, "create">,
  resourceAttributes: { verb: string; group: string; resource: string },
  signal: AbortSignal,
): Promise<boolean> {
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes },
  };
  const review = await api.create<{ status?: { allowed?: unknown } }>(reviews, body, { signal });
  return review.status?.allowed === true;
}
