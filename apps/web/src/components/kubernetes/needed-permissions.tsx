import { kubernetesPermissions, resourceName } from "@fairlead/domain/kubernetes";

/** The permissions that Fairlead needs in a cluster, each with its reason. */
export function NeededPermissions() {
  return (
    <dl className="divide-y">
      {kubernetesPermissions.map((each) => (
        <div
          key={`${each.resource} ${each.verbs.join()}`}
          className="py-1.5 sm:grid sm:grid-cols-[13rem_minmax(0,1fr)] sm:gap-3"
        >
          <dt className="min-w-0">
            <span className="break-all font-mono text-xs">{resourceName(each)}</span>
            <span className="block text-muted text-xs">{each.verbs.join(", ")}</span>
          </dt>
          <dd className="text-muted">{each.why}</dd>
        </div>
      ))}
    </dl>
  );
}
