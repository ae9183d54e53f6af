"use client";
import type { Agent } from "@fairlead/domain/node";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { NodeStatus } from "@/components/ui/status/node-status.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Until } from "@/components/ui/time/until.tsx";
import { count } from "@/components/words/numbers.ts";
import { Link } from "../ui/action/link.tsx";
import { AgentRoles } from "./agent-roles.tsx";
import { RevokeAgent } from "./revoke-agent.tsx";

/** The agents of a node: their roles, revisions and certificates, and how many reports were lost. */
export function AgentsTable({ agents, nodeName }: { agents: Agent[]; nodeName: string }) {
  return (
    <RowsTable<Agent>
      label={`Agents of ${nodeName}`}
      rows={agents}
      stacks
      rowKey={(agent) => agent.id}
      empty={
        <>
          No agent is enrolled.{" "}
          <Link href="/nodes?add=true" className="text-accent underline">
            Add node
          </Link>{" "}
          shows the command to run on the machine.
        </>
      }
      columns={[
        { label: "State", cell: (agent) => <NodeStatus of={agent} /> },
        { label: "Roles", cell: (agent) => <AgentRoles agent={agent} nodeName={nodeName} /> },
        {
          label: "Revision",
          cell: (agent) =>
            agent.desiredRevision === agent.observedRevision ? (
              agent.observedRevision
            ) : (
              <span className="text-warn">
                runs {agent.observedRevision}, desired {agent.desiredRevision}
              </span>
            ),
        },
        { label: "Version", cell: (agent) => (agent.version ? <Mono copy={false}>{agent.version}</Mono> : "unknown") },
        {
          label: "Reported",
          cell: (agent) => <Age at={agent.lastReportAt} expectedEveryMs={agent.reportIntervalMs} />,
        },
        {
          label: "Certificate",
          cell: (agent) => <Until at={agent.certificateExpiresAt} warnMs={24 * 3_600_000} past="expired" />,
        },
        { label: "Corrections", align: "end", cell: (agent) => count(agent.corrections) },
        {
          label: "Lost reports",
          align: "end",
          cell: (agent) =>
            agent.droppedReports > 0 ? <span className="text-warn">{count(agent.droppedReports)}</span> : 0,
        },
        { label: "ID", cell: (agent) => <Mono className="max-w-32">{agent.id}</Mono> },
        {
          label: "Action",
          hidesLabel: true,
          align: "end",
          cell: (agent) => <RevokeAgent agent={agent} nodeName={nodeName} />,
        },
      ]}
    />
  );
}
