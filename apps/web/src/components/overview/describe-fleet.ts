import type { Overview } from "@fairlead/domain/overview";

/** describeFleet summarises the nodes and the exposures in one sentence. */
export function describeFleet({ nodes, exposures }: Pick<Overview, "nodes" | "exposures">): string {
  return `${describeNodes(nodes)}; ${describeExposures(exposures)}.`;
}

/** reportingCount is the number of nodes that report, in sync or not. */
export function reportingCount({ byState }: Overview["nodes"]): number {
  return byState["in-sync"] + byState["out-of-sync"];
}

function describeNodes(nodes: Overview["nodes"]): string {
  const { total, byState } = nodes;
  const reporting = reportingCount(nodes);
  if (total === 0) return "No nodes yet";
  if (total === 1 && reporting === 1) return "The only node is reporting";
  if (reporting === total) return `All ${total} nodes are reporting`;
  const others = [
    byState.silent > 0 ? `${byState.silent} ${is(byState.silent)} silent` : "",
    byState["never-seen"] > 0 ? `${byState["never-seen"]} never reported` : "",
    byState.revoked > 0 ? `${byState.revoked} ${is(byState.revoked)} revoked` : "",
  ].filter(Boolean);
  return `${reporting} of ${total} nodes ${is(reporting)} reporting, ${others.join(", ")}`;
}

function describeExposures({ total, byPhase }: Overview["exposures"]): string {
  if (total === 0) return "no exposures yet";
  const { serving, pending, degraded, failed, deleting } = byPhase;
  if (serving === total) return total === 1 ? "the only exposure is serving" : `all ${total} exposures are serving`;
  const troubles = [
    failed > 0 ? `${failed} failed` : "",
    degraded > 0 ? `${degraded} ${is(degraded)} degraded` : "",
    pending > 0 ? `${pending} ${is(pending)} pending` : "",
    deleting > 0 ? `${deleting} ${is(deleting)} being deleted` : "",
  ].filter(Boolean);
  const of = `of ${total} ${total === 1 ? "exposure" : "exposures"}`;
  const [first = "", ...rest] = troubles;
  const [count = "", ...words] = first.split(" ");
  return [`${count} ${of} ${words.join(" ")}`, ...rest].join(", ");
}

function is(count: number): "is" | "are" {
  return count === 1 ? "is" : "are";
}
