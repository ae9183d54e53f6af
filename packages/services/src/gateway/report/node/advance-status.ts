import { describeAge } from "@fairlead/domain";
import type { SettledReason } from "@fairlead/domain/event";
import { silentAfterMs } from "@fairlead/domain/node";
import type { CheckedReport } from "../check-report.ts";
import { findClockWarning } from "../judge-clock.ts";

/** NodeStatus is the part of an agent's stored status that decides what its next report means. */
export type NodeStatus = {
  bootId: string;
  previousBootId: string;
  sequence: number;
  observedRevision: number;
  observedDigest: string;
  configError: string;
  corrections: number;
  droppedReports: number;
  warnings: string[];
  version: string;
  lastReportAt: Date;
  silentSince: Date | null;
};

export type StatusEvent = { reason: SettledReason; message: string };
/** StatusSource is the agent of a status. */
export type StatusSource = { nodeName: string; reportIntervalMs: number };
/** events are for users. changed means that pages of the node should reload, came that the agent was away before. */
export type Advance = { status: NodeStatus; events: StatusEvent[]; changed: boolean; came: boolean };

/**
 * advanceStatus decides what a report changes about its agent. It returns null for one without news: repeated, out of
 * order, or of a process that a newer one has replaced. Its samples may be new all the same.
 */
export function advanceStatus(
  before: NodeStatus | null,
  report: CheckedReport,
  { nodeName, reportIntervalMs }: StatusSource,
  now: Date,
): Advance | null {
  if (before && !isNews(before, report)) return null;
  const sameBoot = before?.bootId === report.bootId;
  const status: NodeStatus = {
    bootId: report.bootId,
    previousBootId: sameBoot ? before.previousBootId : (before?.bootId ?? ""),
    sequence: report.sequence,
    observedRevision: report.observedRevision,
    observedDigest: report.observedDigest,
    configError: report.configError,
    corrections: report.corrections,
    droppedReports: report.droppedReports,
    warnings: report.warnings,
    version: report.version ?? before?.version ?? "",
    lastReportAt: now,
    silentSince: null,
  };
  const events = [
    ...(before ? changesBetween(before, status, sameBoot, nodeName, now) : [firstReport(status, nodeName)]),
    ...clockNews(before, status, nodeName),
  ];
  const changed = events.length > 0 || !before || !runsTheSame(before, status);
  return { status, events, changed, came: !before || wasAway(before, reportIntervalMs, now) };
}

/** A page may have shown the agent as silent by the age of its last report, before a sweep recorded that. */
function wasAway({ silentSince, lastReportAt }: NodeStatus, reportIntervalMs: number, now: Date): boolean {
  return silentSince !== null || now.getTime() - lastReportAt.getTime() > silentAfterMs(reportIntervalMs);
}

function isNews(before: NodeStatus, report: CheckedReport): boolean {
  if (report.bootId === before.bootId) return report.sequence > before.sequence;
  return report.bootId !== before.previousBootId;
}

function runsTheSame(before: NodeStatus, after: NodeStatus): boolean {
  return before.observedRevision === after.observedRevision && before.observedDigest === after.observedDigest;
}

function firstReport(status: NodeStatus, name: string): StatusEvent {
  const message = `The agent of ${name} reported for the first time${ofVersion(status.version)}.`;
  return { reason: "AgentReporting", message };
}

function changesBetween(
  before: NodeStatus,
  after: NodeStatus,
  sameBoot: boolean,
  name: string,
  now: Date,
): StatusEvent[] {
  const events: StatusEvent[] = [];
  const record = (reason: SettledReason, message: string) => events.push({ reason, message });
  if (before.silentSince) {
    const age = describeAge(now.getTime() - before.lastReportAt.getTime());
    record("AgentBack", `The agent of ${name} reports again, after ${age} of silence.`);
  }
  if (!sameBoot) record("AgentRestarted", `The agent of ${name} restarted${ofVersion(after.version)}.`);
  if (before.version && after.version !== before.version)
    record("AgentVersionChanged", `The agent of ${name} went from version ${before.version} to ${after.version}.`);
  if (after.configError && after.configError !== before.configError)
    record(
      "ConfigRefused",
      `${name} can't run its newest config and keeps revision ${after.observedRevision}: ${after.configError}`,
    );
  if (!after.configError && (before.configError || after.observedRevision !== before.observedRevision))
    record("ConfigApplied", `${name} runs revision ${after.observedRevision} of its config.`);
  const known = new Set(before.warnings).add(findClockWarning(after.warnings) ?? "");
  for (const warning of after.warnings) if (!known.has(warning)) record("AgentWarning", `${name}: ${warning}`);
  if (after.droppedReports > (sameBoot ? before.droppedReports : 0))
    record(
      "ReportsDropped",
      `The agent of ${name} had no room left for reports and dropped the oldest, ${after.droppedReports} since it started; its charts have a gap.`,
    );
  return events;
}

function clockNews(before: NodeStatus | null, after: NodeStatus, name: string): StatusEvent[] {
  const was = before ? findClockWarning(before.warnings) : undefined;
  const is = findClockWarning(after.warnings);
  if (is && !was) return [{ reason: "ClockOff", message: `${name}: ${is}` }];
  if (was && !is) return [{ reason: "ClockRight", message: `${name}: Its clock agrees with the control plane's.` }];
  return [];
}

function ofVersion(version: string): string {
  return version ? `, version ${version}` : "";
}
