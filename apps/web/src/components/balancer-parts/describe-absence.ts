/** describeAbsence says why there are no figures, and whether any will come. */
export function describeAbsence({ isCarried, isCloud }: { isCarried: boolean; isCloud: boolean }): string {
  if (isCloud) return "No figures in this range: its cloud provider measures this one, and has to be asked.";
  if (isCarried) return "Nothing was measured in this range. Figures come with the reports of the replicas.";
  return "No figures yet: they come from the agents that carry a load balancer, and none carries this one.";
}
