import type { SessionBackend } from "@fairlead/domain/exposure";
import { DocsLink } from "@/components/docs/docs-link.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { nodesWithoutAgent } from "./join-backends.ts";

const mostNamed = 3;

type Props = { clusterId: string; backends: readonly Pick<SessionBackend, "nodeName" | "agentId">[] };

/** The nodes on which an agent has to be started before their instances get connections. */
export function MissingAgents({ clusterId, backends }: Props) {
  const mayWrite = useMay("node:write");
  const nodes = nodesWithoutAgent(backends);
  if (nodes.length === 0) return null;
  return (
    <p
      role="note"
      className="flex items-baseline gap-2 rounded-md border border-warn/50 bg-warn-soft/40 px-4 py-3 text-sm"
    >
      <StatusGlyph shape="triangle" className="translate-y-0.5 text-warn" />
      <span>
        {describeNodes(nodes)} no agent of the role backend, so the instances there take no connections by TLS session.{" "}
        {mayWrite ? (
          <TextLink href={`/nodes?add=true&cluster=${clusterId}&role=backend`} className="text-accent underline">
            Create the command that installs it
          </TextLink>
        ) : (
          "An operator can install it."
        )}{" "}
        <DocsLink topic="backendAgents" />
      </span>
    </p>
  );
}

function describeNodes(nodes: readonly string[]): string {
  const named = nodes.slice(0, mostNamed).join(", ");
  const more = nodes.length > mostNamed ? ` and ${nodes.length - mostNamed} more` : "";
  return nodes.length === 1 ? `The node ${named} has` : `The nodes ${named}${more} have`;
}
