import type { NodeDetail } from "@fairlead/domain";
import { formatQuantity } from "@/components/charts/quantity.ts";
import { Facts } from "@/components/table/facts.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Mono } from "@/components/ui/mono.tsx";

/** What the machine says of itself, if any of its agents does that. */
export function NodeFactsList({ node, isMachine }: { node: NodeDetail; isMachine: boolean }) {
  const { facts } = node;
  const own = [
    ["Id", <Mono key="id">{node.id}</Mono>],
    ["In Fairlead since", <Age key="age" at={node.createdAt} />],
  ] as const;
  if (!facts)
    return (
      <>
        <p className="pb-3 text-muted text-sm">
          {isMachine
            ? "The machine has not described itself yet. It does with the first report of its agent."
            : "Nothing here describes or measures the machine: that takes an agent with the role node."}
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
