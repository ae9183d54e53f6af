import { describeAge } from "@fairlead/domain";
import type { SettledReason } from "@fairlead/domain/event";
import { agentName, silentAfterMs } from "@fairlead/domain/node";
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

/** source begins the message of an event that is about one of the node's agents. */
export type StatusEvent = { reason: SettledReason; message: string; source?: string };
/** StatusSource is the agent of a status. */
export type StatusSource = { nodeName: string; roles: readonly string[]; reportIntervalMs: number };
/** events are for users. changed means that pages of the node should reload, came that the agent was away before. */
export type Advance = { status: NodeStatus; events: StatusEvent[]; changed: boolean; came: boolean };

/**
 * advanceStatus decides what a report changes about its agent. It returns null for one without news: repeated, out of
 * order, or of a process that a newer one has replaced. Its samples may be new all the same.
 */
export function advanceStatus(
  before: NodeStatus | null,
  report: CheckedReport,
  { nodeName, roles, reportIntervalMs }: StatusSource,
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
  const agent = agentName(nodeName, roles);
  const events = [
    ...(before ? changesBetween(before, status, sameBoot, agent, now) : [firstReport(status, agent)]),
    ...newWarnings(before, status, nodeName),
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

function firstReport({ version }: NodeStatus, source: string): StatusEvent {
  const message = `${source} reported for the first time${ofVersion(version)}.`;
  return { reason: "AgentReporting", message, source };
}

function changesBetween(
  before: NodeStatus,
  after: NodeStatus,
  sameBoot: boolean,
  source: string,
  now: Date,
): StatusEvent[] {
  const events: StatusEvent[] = [];
  const record = (reason: SettledReason, what: string) => events.push({ reason, message: `${source} ${what}`, source });
  if (before.silentSince) {
    const age = describeAge(now.getTime() - before.lastReportAt.getTime());
    record("AgentBack", `reports again, after ${age} of silence.`);
  }
  if (!sameBoot) record("AgentRestarted", `restarted${ofVersion(after.version)}.`);
  if (before.version && after.version !== before.version)
    record("AgentVersionChanged", `went from version ${before.version} to ${after.version}.`);
  if (after.configError && after.configError !== before.configError)
    record(
      "ConfigRefused",
      `can't run its newest config and keeps revision ${after.observedRevision}: ${after.configError}`,
    );
  if (!after.configError && (before.configError || after.observedRevision !== before.observedRevision))
    record("ConfigApplied", `runs revision ${after.observedRevision} of its config.`);
  if (after.droppedReports > (sameBoot ? before.droppedReports : 0))
    record(
      "ReportsDropped",
      `had no room left for reports and dropped the oldest, ${after.droppedReports} since it started; its charts have a gap.`,
    );
  return events;
}

/** A warning is of the node: several of its agents may report the same. */
function newWarnings(before: NodeStatus | null, after: NodeStatus, name: string): StatusEvent[] {
  if (!before) return [];
  const known = new Set(before.warnings).add(findClockWarning(after.warnings) ?? "");
  const added = after.warnings.filter((each) => !known.has(each));
  return added.map((warning) => ({ reason: "AgentWarning", message: `${name}: ${warning}` }));
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
