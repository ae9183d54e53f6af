/** describeAbsence returns why there are no metrics, and whether to expect any. */
export function describeAbsence({ isCarried, isCloud }: { isCarried: boolean; isCloud: boolean }): string {
  if (isCloud)
    return "No metrics in this range: they come from the cloud provider. Set up cloud metrics to fetch them.";
  if (isCarried) return "No samples in this range. The replicas report them.";
  return "No metrics yet: they come from the agents of a load balancer, and no agent runs this one.";
}
