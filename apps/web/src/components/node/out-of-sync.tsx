import type { NodeDetail } from "@fairlead/domain/node";
import { DesiredObserved } from "@/components/detail/desired-observed.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";

/** The desired and observed state of each agent where the two differ. Empty otherwise. */
export function OutOfSync({ node }: { node: NodeDetail }) {
  const behind = node.agents.filter((agent) => agent.state === "out-of-sync");
  if (behind.length === 0) return null;
  const refusing = behind.find((agent) => agent.configError);
  return (
    <DesiredObserved
      sentence={
        refusing ? (
          <LongText
            text={`The agent rejects its configuration and keeps running the previous one: ${withStop(refusing.configError)}`}
          />
        ) : (
          "The new configuration is being delivered. The previous one is still running."
        )
      }
      differences={behind.map((agent) => ({
        label: `Agent (${agent.roles.join(", ") || "no role"})`,
        desired: `revision ${agent.desiredRevision}`,
        observed: (
          <>
            revision {agent.observedRevision}, reported <Age at={agent.lastReportAt} />
          </>
        ),
      }))}
    />
  );
}

function withStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Problems that the agents report. */
export function AgentWarnings({ node }: { node: NodeDetail }) {
  const warnings = node.agents.filter((agent) => !agent.revokedAt).flatMap((agent) => agent.warnings);
  if (warnings.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {[...new Set(warnings)].map((warning) => (
        <li key={warning} className="flex items-baseline gap-2">
          <StatusGlyph shape="triangle" className="translate-y-0.5 text-warn" />
          <LongText text={warning} />
        </li>
      ))}
    </ul>
  );
}
