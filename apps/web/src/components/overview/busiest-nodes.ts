import type { ListNodes } from "@fairlead/domain";

/** More lines than this are a tangle. */
export const mostNodes = 6;

/** busiestNodes asks for the nodes whose charts are shown. Server and browser must ask the same question. */
export function busiestNodes(clusterId?: string) {
  return {
    sort: "cpuUtilizationRatio",
    direction: "desc",
    limit: mostNodes,
    state: ["in-sync", "out-of-sync"],
    ...(clusterId ? { clusterId } : {}),
  } satisfies Partial<ListNodes>;
}
