import type { NodeDetail } from "@fairlead/domain/node";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";

/** The machine, as one of its agents describes it. */
export function NodeFactsList({ node, isMachine }: { node: NodeDetail; isMachine: boolean }) {
  const { facts } = node;
  const own = [
    ["ID", <Mono key="id">{node.id}</Mono>],
    ["Added to Fairlead", <Age key="age" at={node.createdAt} />],
  ] as const;
  if (!facts)
    return (
      <>
        <p className="pb-3 text-muted text-sm">
          {isMachine
            ? "No machine facts yet. They appear with the agent's first report."
            : "No description or metrics of the machine: they require an agent with the role node."}
        </p>
        <Facts rows={own} />
      </>
    );
  return (
    <Facts
      rows={[
        ["Hostname", <Mono key="hostname">{facts.hostname}</Mono>],
        ["System", `${facts.os}, ${facts.arch}`],
        ["Kernel", <Mono key="kernel">{facts.kernel}</Mono>],
        ["Processor", `${facts.cpuCount} × ${facts.cpuModel || "unknown model"}`],
        ["Memory", formatQuantity(facts.memoryBytes, "bytes")],
        ["Started", facts.bootedAt ? <Age key="booted" at={facts.bootedAt} /> : "unknown"],
        ...own,
      ]}
    />
  );
}
