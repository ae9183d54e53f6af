import type { ClusterKind } from "../cluster/cluster.ts";
import type { SessionNames } from "./session.ts";

/**
 * findNamesLack returns why the workloads of a cluster can't have this way to know the names of ticket keys, or null. The form and
 * the API both follow it.
 */
export function findNamesLack(kind: ClusterKind, names: SessionNames): string | null {
  if (names !== "managed" || kind !== "kubernetes") return null;
  return "agents write managed keys into folders of nodes, which pods don't read";
}
