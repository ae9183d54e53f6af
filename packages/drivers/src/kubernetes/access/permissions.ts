import { kubernetesPermissions, resourceName } from "@fairlead/domain/kubernetes";

export type NeededPermission = {
  verb: string;
  group: string;
  resource: string;
  /** In kubectl's form: endpointslices.discovery.k8s.io. */
  name: string;
  why: string;
  required: boolean;
};

/** The permissions that Fairlead needs, one entry per verb, as access reviews require. The list is in domain, because the UI shows it too. */
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
