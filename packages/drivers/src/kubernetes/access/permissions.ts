import { kubernetesPermissions, resourceName } from "@fairlead/domain/kubernetes";

export type NeededPermission = {
  verb: string;
  group: string;
  resource: string;
  /** As kubectl takes it: endpointslices.discovery.k8s.io. */
  name: string;
  why: string;
  required: boolean;
};

/** What Fairlead does in a cluster, a verb at a time, as an API is asked about it. The list itself is domain's: the page shows it too. */
export const neededPermissions: readonly NeededPermission[] = kubernetesPermissions.flatMap((each) =>
  each.verbs.map((verb) => ({
    verb,
    group: each.group,
    resource: each.resource,
    name: resourceName(each),
    why: each.why,
    required: each.required,
  })),
);
