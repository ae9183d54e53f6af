"use client";
import type { NodeDetail } from "@fairlead/domain/node";
import { LongText } from "@/components/ui/long-text.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { useNow } from "@/components/ui/time/now.ts";
import { settingsProgress } from "./settings-progress.ts";

/** The progress of saved settings, live. */
export function SettingsProgressLine({
  node,
  saved,
}: {
  node: NodeDetail;
  saved: { fromRevision: number; at: number };
}) {
  const now = useNow();
  const agent = node.agents.find((each) => !each.revokedAt);
  const progress = settingsProgress(saved.fromRevision, agent, node.state === "silent", now - saved.at);
  return (
    <p role="status" className="flex items-center gap-2 text-sm">
      {progress.tone === "wait" ? (
        <Spinner />
      ) : (
        <StatusGlyph
          shape={progress.tone === "good" ? "disc" : "square"}
          className={progress.tone === "good" ? "text-good" : "text-bad"}
        />
      )}
      <LongText text={progress.sentence} />
    </p>
  );
}
