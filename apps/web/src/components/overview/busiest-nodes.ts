import type { ListNodes } from "@fairlead/domain/node";

/** More lines than this are unreadable. */
export const maxNodes = 6;

/** busiestNodes is the query for the nodes of the charts. The server and the browser must send the same one. */
export function busiestNodes(clusterId?: string) {
  return {
    sort: "cpuUtilizationRatio",
    direction: "desc",
    limit: maxNodes,
    state: ["in-sync", "out-of-sync"],
    ...(clusterId ? { clusterId } : {}),
  } satisfies Partial<ListNodes>;
}
