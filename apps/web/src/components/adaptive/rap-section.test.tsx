import type { MeasuredResources, RapBaseline, RapNodeSeen } from "@fairlead/domain/exposure";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RapSection } from "./rap-section.tsx";

const measured = (cpuCores: number, change: Partial<MeasuredResources> = {}): MeasuredResources => ({
  ...{ cpuCores, cpuCapacityCores: 1, memoryBytes: 64 * 2 ** 20, memoryCapacityBytes: 256 * 2 ** 20 },
  ...{ measuredAt: new Date("2026-12-01T04:00:00Z"), windowMs: 10_000 },
  ...change,
});
const node = (nodeName: string, change: Partial<RapNodeSeen>): RapNodeSeen => ({
  ...{
    nodeId: `nod_${nodeName}`,
    nodeName,
    node: null,
    instanceCount: 1,
    instances: measured(0.5),
    measuredCores: null,
  },
  ...{ isOverloaded: false, sendsToNodeId: `nod_${nodeName}`, sendsToNodeName: nodeName, undecided: "" },
  ...change,
});
const away = { isOverloaded: true, sendsToNodeId: "nod_b", sendsToNodeName: "b" };
const baseline = (nodes: RapNodeSeen[], problem = ""): RapBaseline => ({
  ...{ problem, readAt: null, thresholdPercent: 90, nodes },
});
/** The text of each row of the table, its cells separated by a bar; and all text. */
function render(rap: RapBaseline): { rows: string[]; text: string } {
  const html = renderToStaticMarkup(<RapSection rap={rap} />).replaceAll(/ | /g, " ");
  const textOf = (part: string) =>
    part
      .replaceAll(/<\/t[dh]>/g, "|")
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ");
  const rows = [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = ""]) => textOf(row));
  return { rows: rows.slice(1), text: textOf(html) };
}

it("has the figures of metrics-server next to those of the agent, and RAP's decision", () => {
  const { rows, text } = render(
    baseline([
      node("a", {
        ...away,
        instances: measured(0.95),
        measuredCores: 0.75,
        node: measured(3, { cpuCapacityCores: 4 }),
      }),
      node("b", {}),
      node("c", { ...away, instanceCount: 0, instances: null }),
    ]),
  );
  expect(rows[0]).toMatch(
    /a .*0\.95 of 1 core .*95\.0 %.*0\.75 cores.*64\.0 MiB of 256 MiB.*3 of 4 cores.*b overloaded/,
  );
  expect(rows[1]).toMatch(/b .*0\.5 of 1 core .*–.*this node/);
  expect(rows[2]).toMatch(/c .*0.*–.*b no instances/);
  expect(text).toContain("90 % of what they may use");
});

it("states why nothing is decided, with the last figures", () => {
  const problem = "metrics-server is installed, but does not answer (503).";
  const unknown = { isOverloaded: null, sendsToNodeId: null, sendsToNodeName: null, undecided: problem };
  const { rows, text } = render(baseline([node("a", { ...unknown, instances: measured(0.95) })], problem));
  expect(text).toContain(problem);
  expect(rows[0]).toContain("0.95 of 1 core");
  expect(rows[0]).not.toContain("overloaded");
});

it("has only the reason and its cure before there are any figures", () => {
  const problem =
    "metrics-server is not installed: the cluster has no API metrics.k8s.io. Install metrics-server there.";
  const { rows, text } = render(
    baseline([node("a", { instances: null, undecided: problem, isOverloaded: null })], problem),
  );
  expect(rows).toEqual([]);
  expect(text).toContain(problem);
});
