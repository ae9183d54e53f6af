import type { TrafficFlow } from "@fairlead/domain/traffic-flow";
import type { ReactNode } from "react";
import { DocsLink } from "@/components/docs/docs-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { FlowPicture } from "./flow-picture.tsx";

/** The flow picture with its title, and what is missing in it. Nothing without any place. */
export function FlowSection({ flow, note }: { flow: TrafficFlow | undefined; note?: ReactNode }) {
  if (!flow || flow.places.length === 0) return null;
  // Only what a speaker announces has a router, and it probes all that it announces.
  const isProbed = flow.places.some((each) => each.column === "router");
  return (
    <Section
      title="Flow"
      hint={
        <>
          throughput from clients{isProbed ? " and Fairlead's own probes" : ""}, average of the last minute{" "}
          <DocsLink topic="trafficFlow" />
        </>
      }
    >
      <FlowPicture flow={flow} />
      {flow.problems.map((problem) => (
        <p key={problem} className="flex gap-2 pt-3 text-sm">
          <StatusGlyph shape="triangle" className="mt-1 text-warn" />
          {problem}
        </p>
      ))}
      {flow.isSampled ? (
        <p className="pt-3 text-muted text-xs">Client networks are estimated from sampled packets.</p>
      ) : note ? (
        <p className="pt-3 text-muted text-xs">{note}</p>
      ) : null}
    </Section>
  );
}
