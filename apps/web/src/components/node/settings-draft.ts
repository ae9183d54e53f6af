import { type NodeSettings, type UpdateNode, updateNode } from "@fairlead/domain/node";
import { splitPatterns } from "./interface-pattern.ts";

/** The fields of the settings form: seconds and patterns, as typed. */
export type SettingsDraft = { sampleSeconds: string; reportSeconds: string; excluded: string };

export function settingsDraft(settings: NodeSettings): SettingsDraft {
  return {
    sampleSeconds: String(settings.sampleIntervalMs / 1_000),
    reportSeconds: String(settings.reportIntervalMs / 1_000),
    excluded: settings.excludedInterfaces.join(", "),
  };
}

export type CheckedSettings =
  | { settings: NonNullable<UpdateNode["settings"]>; problems: null }
  | { settings: null; problems: Record<string, string> };

/** checkSettings parses the fields into settings. Errors have the same keys as in the API. */
export function checkSettings(draft: SettingsDraft): CheckedSettings {
  const settings = {
    sampleIntervalMs: toMs(draft.sampleSeconds),
    reportIntervalMs: toMs(draft.reportSeconds),
    excludedInterfaces: splitPatterns(draft.excluded),
  };
  const parsed = updateNode.safeParse({ settings });
  if (parsed.success) return { settings: parsed.data.settings ?? {}, problems: null };
  const problems: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const path = issue.path.slice(0, 2).join(".");
    problems[path] ??= path.endsWith("Ms")
      ? "Enter a value between 1 and 300 seconds."
      : describePatternIssue(issue, settings.excludedInterfaces);
  }
  return { settings: null, problems };
}

/** Names the invalid pattern, because the field may contain thirty. */
function describePatternIssue({ path, message }: { path: PropertyKey[]; message: string }, patterns: string[]): string {
  const pattern = patterns[Number(path[2])];
  return pattern === undefined ? "At most 32 patterns." : `${pattern}: ${message}.`;
}

function toMs(text: string): number {
  return /^\d+(\.\d{1,3})?$/.test(text.trim()) ? Math.round(Number(text) * 1_000) : Number.NaN;
}
