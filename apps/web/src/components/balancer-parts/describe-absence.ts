/** describeAbsence says why there are no figures, and whether any will come. */
export function describeAbsence({ isCarried, isCloud }: { isCarried: boolean; isCloud: boolean }): string {
  if (isCloud) return "No figures: only what our own agents carry is measured, and this is the cloud provider's.";
  if (isCarried) return "Nothing was measured in this range. Figures come with the reports of the replicas.";
  return "No figures yet: they come from the agents that carry a load balancer, and none carries this one.";
}
