import type { Problems } from "./check-draft.ts";

const names: [RegExp, string][] = [
  [/^clusterId$/, "a cluster"],
  [/^name$/, "a name"],
  [/^workload\.name$/, "the workload's name"],
  [/^workload\.namespace$/, "the namespace"],
  [/^workload\.selector/, "a selector"],
  [/^ports/, "a valid port"],
  [/^strategy\.type$/, "a strategy that the cluster supports"],
  [/^strategy\.addressing$/, "an addressing that the cluster supports"],
  [/^strategy\.poolId$/, "an address pool"],
  [/^strategy\.dnsZone$/, "the zone of server names"],
  [/^strategy\.(engine|delivery|scheduler|proxyProtocol|sampleClients)$/, "an engine and a delivery that fit"],
  [/^placements/, "the other clusters and their shares"],
  [/^healthCheck/, "a valid health check"],
  [/^strategy/, "the strategy's details"],
  [/^labels/, "valid labels"],
];

/** stillNeeded lists what is missing for a preview. */
export function stillNeeded(problems: Problems): string {
  const missing = [
    ...new Set(Object.keys(problems).map((path) => names.find(([each]) => each.test(path))?.[1] ?? "a valid form")),
  ];
  const last = missing.pop();
  const list = missing.length > 0 ? `${missing.join(", ")} and ${last}` : last;
  return `Missing: ${list}.`;
}
