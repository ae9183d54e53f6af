import type { NodeDetail } from "@fairlead/domain";
import { DesiredObserved } from "@/components/detail/desired-observed.tsx";
import { Age } from "@/components/ui/age.tsx";
import { StatusGlyph } from "@/components/ui/status-badge.tsx";

/** Desired beside observed for every agent where the two differ. Nothing while they agree. */
export function OutOfSync({ node }: { node: NodeDetail }) {
  const behind = node.agents.filter((agent) => agent.state === "out-of-sync");
  if (behind.length === 0) return null;
  const refusing = behind.find((agent) => agent.configError);
  return (
    <DesiredObserved
      sentence={
        refusing
          ? `The agent refuses its configuration and goes on with the one before: ${withStop(refusing.configError)}`
          : "The new configuration is on its way; what runs now is the one before."
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
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** What the agents say of themselves that a person should know. */
export function AgentWarnings({ node }: { node: NodeDetail }) {
  const warnings = node.agents.filter((agent) => !agent.revokedAt).flatMap((agent) => agent.warnings);
  if (warnings.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {[...new Set(warnings)].map((warning) => (
        <li key={warning} className="flex items-baseline gap-2">
          <StatusGlyph shape="triangle" className="translate-y-0.5 text-warn" />
          {warning}
        </li>
      ))}
    </ul>
  );
}
