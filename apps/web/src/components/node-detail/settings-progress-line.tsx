"use client";
import type { NodeDetail } from "@fairlead/domain";
import { useNow } from "@/components/ui/now.ts";
import { Spinner } from "@/components/ui/spinner.tsx";
import { StatusGlyph } from "@/components/ui/status-badge.tsx";
import { settingsProgress } from "./settings-progress.ts";

/** How far the saved settings have come, live. */
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
      {progress.sentence}
    </p>
  );
}
