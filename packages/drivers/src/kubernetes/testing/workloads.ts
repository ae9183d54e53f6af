/** workloadOf returns a workload whose pods run nothing, for simulated nodes. */
export function workloadOf(name: string, replicas: number, more: object = {}): object {
  const labels = { app: name };
  const spec = { terminationGracePeriodSeconds: 1, containers: [{ name: "app", image: "example.test/app:1" }] };
  return {
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec }, ...more },
  };
}

export const statefulSetOf = (name: string, replicas: number) =>
  workloadOf(name, replicas, { serviceName: name, podManagementPolicy: "Parallel" });
