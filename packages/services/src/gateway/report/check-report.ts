import { invalid } from "@fairlead/domain";
import type { ReportedInstance } from "@fairlead/domain/instance";
import type { NodeFacts } from "@fairlead/domain/node";
import { isMetricName, isPossible, sampleWindow } from "@fairlead/domain/series";
import { type AdaptiveReport, checkAdaptive, type WireAdaptive } from "./adaptive/adaptive-report.ts";
import { type BackendReport, checkBackend } from "./backend/backend-report.ts";
import {
  type BalancerReport,
  checkBalancer,
  checkEvents,
  checkInventory,
  type ReportedEvent,
  type WireBalancer,
} from "./balancer/balancer-report.ts";
import { judgeClock } from "./judge-clock.ts";
import { checkReachableAddress } from "./reachable-address.ts";
import { type BgpReport, checkBgp, type WireBgp } from "./routing/bgp-report.ts";
import { storable } from "./storable.ts";

/** AgentReport is a report of one agent, as received: nothing in it is trusted yet. */
export type AgentReport = {
  bootId: string;
  sequence: number;
  /** By the agent's clock; null from an older agent that doesn't send it. */
  sentAt: Date | null;
  observedRevision: number;
  /** The digest of the config it runs; empty from an older agent that doesn't send it. */
  observedDigest: string;
  configError: string;
  corrections: number;
  droppedReports: number;
  /** null where unchanged since the last answered report of this boot. */
  facts: NodeFacts | null;
  version: string | null;
  /** Those it states; none where unchanged. */
  roles: string[];
  warnings: string[];
  /** Where it returns the datagrams of other nodes; null where the role node is off, and from an older agent. */
  echoAddress: string | null;
  /** null where the role is off. */
  balancer: WireBalancer | null;
  /** null where the role is off. */
  backend: BackendReport | null;
  /** null where the role is off. */
  adaptive: WireAdaptive | null;
  events: ReportedEvent[];
  /** null where no BGP runs, or its state could not be read. */
  bgp: WireBgp | null;
  /** null where unchanged since the last answered report of this boot. */
  inventory: ReportedInstance[] | null;
  series: { metric: string; labels: Record<string, string>; atMs: number[]; values: number[] }[];
  /** Those that follow from the rest of the report. They don't count towards the limits of what an agent sends. */
  derived: AgentReport["series"];
};

/** ReportLimits bound one report; the protocol defines them. */
export type ReportLimits = {
  series: number;
  points: number;
  instances: number;
  routes: number;
  updates: number;
  transitions: number;
};

/** CheckedReport can be stored: everything fits its column, and every point belongs to a known metric. */
export type CheckedReport = Omit<AgentReport, "sentAt" | "series" | "derived" | "balancer" | "adaptive" | "bgp"> & {
  balancer: BalancerReport | null;
  adaptive: AdaptiveReport | null;
  bgp: BgpReport | null;
  series: CheckedSeries[];
  rejectedPoints: number;
  /** The first value that no host can have, in words; null if all are possible. */
  impossible: string | null;
};
/** labels are canonical JSON. about names its subject, where that is not the agent's node. */
export type CheckedSeries = {
  metric: string;
  labels: string;
  about: { loadBalancerId: string; backendId: string | null } | null;
  atMs: number[];
  values: number[];
};

const most = {
  labels: 8,
  labelName: 64,
  labelValue: 256,
  bootId: 64,
  version: 64,
  digest: 128,
  warnings: 20,
  factsBytes: 256_000,
} as const;
const greatestInt = 2_147_483_647;

/**
 * checkReport refuses a report that can't be valid as a whole, and leaves out single points that merely can't be stored
 * (too old, too far ahead, of a metric that this version lacks), so that version and clock differences do little harm. It
 * also leaves out values that no host can have: costs are calculated from them.
 */
export function checkReport(report: AgentReport, limits: ReportLimits, now: Date): CheckedReport {
  if (report.bootId.length === 0 || report.bootId.length > most.bootId || report.bootId.includes("\0"))
    throw invalid(["bootId"], `A report needs a boot id of 1 to ${most.bootId} characters.`);
  checkCount("sequence", report.sequence, 1);
  checkCount("observedRevision", report.observedRevision, 0, greatestInt);
  checkCount("corrections", report.corrections, 0);
  checkCount("droppedReports", report.droppedReports, 0);
  const { series, rejectedPoints, impossible } = checkSeries(report, limits, now);
  const inventory = checkInventory(report.inventory, limits.instances);
  return {
    ...report,
    observedDigest: storable(report.observedDigest).slice(0, most.digest),
    configError: storable(report.configError),
    version: report.version === null ? null : storable(report.version).slice(0, most.version),
    warnings: [...judgeClock(report.sentAt, now), ...inventory.warnings, ...report.warnings.map(storable)].slice(
      0,
      most.warnings,
    ),
    echoAddress: report.echoAddress === null ? null : checkReachableAddress(report.echoAddress),
    balancer: checkBalancer(report.balancer, now),
    backend: checkBackend(report.backend),
    adaptive: checkAdaptive(report.adaptive, now),
    bgp: checkBgp(report.bgp, limits, now),
    events: checkEvents(report.events, now),
    inventory: inventory.instances,
    facts: checkFacts(report.facts),
    series,
    rejectedPoints,
    impossible,
  };
}

function checkCount(name: string, value: number, least: number, greatest: number = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= least && value <= greatest) return;
  throw invalid([name], `${name} must be a whole number from ${least} to ${greatest}.`);
}

function checkFacts(facts: NodeFacts | null): NodeFacts | null {
  if (!facts) return null;
  const text = JSON.stringify(facts);
  if (text.length > most.factsBytes)
    throw invalid(["facts"], `The facts of a node may take ${most.factsBytes} bytes, these take ${text.length}.`);
  if (text.includes("\\u0000")) throw invalid(["facts"], "The facts of a node can't hold null characters.");
  return {
    ...facts,
    kernelFeatures: facts.kernelFeatures.map((each) => ({ ...each, reason: storable(each.reason) })),
  };
}

function checkSeries(
  { series: reported, derived }: Pick<AgentReport, "series" | "derived">,
  limits: ReportLimits,
  now: Date,
): Pick<CheckedReport, "series" | "rejectedPoints" | "impossible"> {
  if (reported.length > limits.series)
    throw invalid(["series"], `A report may carry ${limits.series} series, this one carries ${reported.length}.`);
  const total = pointsOf(reported);
  if (total > limits.points)
    throw invalid(["series"], `A report may carry ${limits.points} points, this one carries ${total}.`);
  const earliest = now.getTime() - sampleWindow.pastMs;
  const latest = now.getTime() + sampleWindow.futureMs;
  const series: CheckedSeries[] = [];
  let impossible: string | null = null;
  let accepted = 0;
  for (const each of [...reported, ...derived]) {
    checkPoints(each);
    const { metric } = each;
    if (!isMetricName(metric)) continue;
    const { loadBalancer, backend = null, ...others } = each.labels;
    const about = loadBalancer ? { loadBalancerId: loadBalancer, backendId: backend } : null;
    const labels = canonicalLabels(about ? { ...each, labels: others } : each);
    const wrong = each.values.find((value) => !isPossible(metric, value));
    if (wrong !== undefined) impossible ??= `${metric} was ${wrong}`;
    const fits = (at: number, value: number) => at >= earliest && at <= latest && isPossible(metric, value);
    const kept = keepFitting(each, fits);
    accepted += kept.atMs.length;
    if (kept.atMs.length > 0) series.push({ metric, labels, about, ...kept });
  }
  return { series, rejectedPoints: total + pointsOf(derived) - accepted, impossible };
}

function pointsOf(series: AgentReport["series"]): number {
  return series.reduce((sum, each) => sum + each.atMs.length, 0);
}

function checkPoints({ metric, atMs, values }: AgentReport["series"][number]): void {
  if (atMs.length !== values.length)
    throw invalid(["series"], `The series ${brief(metric)} has ${atMs.length} times but ${values.length} values.`);
  const index = values.findIndex((value) => !Number.isFinite(value));
  if (index >= 0)
    throw invalid(["series"], `The series ${brief(metric)} has the value ${values[index]}, which is no number.`);
}

function canonicalLabels({ metric, labels }: AgentReport["series"][number]): string {
  const entries = Object.entries(labels);
  if (entries.length === 0) return "{}";
  if (entries.length > most.labels)
    throw invalid(["series"], `The series ${brief(metric)} has ${entries.length} labels; ${most.labels} at most.`);
  for (const [name, value] of entries)
    if (name.length === 0 || name.length > most.labelName || value.length > most.labelValue || /\0/.test(name + value))
      throw invalid(
        ["series"],
        `The series ${brief(metric)} has a label that is empty, too long (${most.labelName} characters, its value ${most.labelValue}) or holds a null character.`,
      );
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

function keepFitting(
  { atMs, values }: { atMs: number[]; values: number[] },
  fits: (at: number, value: number) => boolean,
): { atMs: number[]; values: number[] } {
  const kept = atMs.flatMap((at, index) => (fits(at, values[index] ?? 0) ? [index] : []));
  if (kept.length === atMs.length) return { atMs, values };
  return { atMs: kept.map((index) => atMs[index] ?? 0), values: kept.map((index) => values[index] ?? 0) };
}

function brief(name: string): string {
  return JSON.stringify(name.slice(0, most.labelName));
}
