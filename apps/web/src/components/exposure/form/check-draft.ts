import {
  type CreateExposure,
  createExposure,
  findStrategyProblem,
  type Strategy,
  type Workload,
  workload,
} from "@fairlead/domain/exposure";
import { toAdaptive } from "./adaptive-draft.ts";
import {
  type ExposureDraft,
  hasClientAddress,
  hasHealthCheck,
  hasInstanceBalancers,
  hasNamedBalancer,
  hasOwnAddresses,
  hasScheduler,
  hasServiceAddresses,
  type PortRow,
} from "./draft.ts";
import { toHealthCheck, toNumber } from "./health-check-draft.ts";
import { type PairRow, toMap } from "./pair-rows.ts";
import { toPlacements } from "./placement-draft.ts";
import { toSession } from "./session-draft.ts";

/** The errors, by the path of the field in the spec: "ports.0.port", "strategy.poolId". */
export type Problems = Record<string, string>;

type WorkloadDraft = Pick<ExposureDraft, "namespace" | "workloadKind" | "workloadName" | "selector">;

export type CheckedDraft = { spec: CreateExposure; problems: null } | { spec: null; problems: Problems };

/**
 * checkDraft parses the form into a spec. The rules are those of the domain schema; only the messages are different.
 */
export function checkDraft(draft: ExposureDraft): CheckedDraft {
  const parsed = createExposure.safeParse(toSpec(draft));
  const doubled = {
    ...doubledNames("labels", draft.labels),
    ...doubledNames("workload.selector", selectorOf(draft)),
    ...doubledNames("strategy.standby", draft.strategy === "adaptive" ? draft.adaptive.standby : []),
  };
  if (parsed.success && Object.keys(doubled).length === 0) return { spec: parsed.data, problems: null };
  const problems: Problems = doubled;
  for (const issue of parsed.error?.issues ?? []) {
    const path = fieldOf(issue.path);
    problems[path] ??=
      issue.code === "custom" ? asSentence(issue.message) : wordsFor(path, issue.message, draft.strategy);
  }
  // The domain schema checks the whole only once every part is valid. This check runs earlier, while the user chooses.
  const problem = findStrategyProblem(toStrategy(draft), draft.ports.map(toPort).filter(isWhole));
  if (problem) problems[problem.path.join(".")] ??= asSentence(problem.message);
  return { spec: null, problems };
}

/** withProblems adds problems that depend on more than the form. */
export function withProblems(checked: CheckedDraft, added: Problems): CheckedDraft {
  if (Object.keys(added).length === 0) return checked;
  return { spec: null, problems: { ...checked.problems, ...added } };
}

/** The path of the field that shows an error: statuses and server names are many values, but one field. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.join(".").replace(/^(healthCheck\.statuses|strategy\.serverNames|strategy\.standby)\..*/, "$1");
}

function toSpec(draft: ExposureDraft) {
  return {
    clusterId: draft.clusterId,
    name: draft.name.trim(),
    workload: toWorkload(draft),
    ports: draft.ports.map(toPort),
    strategy: toStrategy(draft),
    ...(draft.strategy === "ecmp" && draft.placements.length > 0
      ? { placements: toPlacements(draft.clusterId, draft.placements) }
      : {}),
    ...(hasHealthCheck(draft) ? { healthCheck: toHealthCheck(draft.healthCheck) } : {}),
    labels: toMap(draft.labels),
  };
}

/** checkWorkload parses the workload alone; null while it is incomplete. */
export function checkWorkload(draft: WorkloadDraft): Workload | null {
  return workload.safeParse(toWorkload(draft)).data ?? null;
}

function toWorkload(draft: WorkloadDraft) {
  const bySelector = draft.workloadKind === "selector";
  return {
    namespace: draft.namespace.trim(),
    kind: draft.workloadKind,
    ...(bySelector ? { selector: toMap(draft.selector) } : optional("name", draft.workloadName.trim())),
  };
}

function toPort(row: PortRow) {
  return {
    ...optional("name", row.name.trim()),
    port: toNumber(row.port),
    ...(row.targetPort.trim() ? { targetPort: toNumber(row.targetPort) } : {}),
    protocol: row.protocol,
  };
}

function isWhole({ port, targetPort = port }: { port: number; targetPort?: number }): boolean {
  return Number.isInteger(port) && Number.isInteger(targetPort);
}

function toStrategy(draft: ExposureDraft): Strategy {
  const type = draft.strategy;
  const ours = { replicas: toNumber(draft.replicas), poolId: draft.poolId };
  switch (type) {
    case "per-replica":
      return {
        type,
        addressing: draft.addressing,
        ...(hasInstanceBalancers(draft) || hasNamedBalancer(draft)
          ? { replicas: ours.replicas, ...optional("poolId", draft.poolId) }
          : {}),
        ...(hasNamedBalancer(draft) || hasServiceAddresses(draft) ? optional("dnsZone", draft.dnsZone.trim()) : {}),
        ...(hasOwnAddresses(draft) ? seconds("keepSeconds", draft.keepSeconds) : {}),
        ...(hasServiceAddresses(draft) ? seconds("drainSeconds", draft.drainSeconds) : {}),
      };
    case "ecmp":
      return {
        type,
        ...ours,
        ...(draft.engine === "auto" ? {} : { engine: draft.engine }),
        ...(draft.delivery === "best" ? {} : { delivery: draft.delivery }),
        ...(hasScheduler(draft) && draft.scheduler !== "own" ? { scheduler: draft.scheduler } : {}),
        ...(hasClientAddress(draft) && draft.clientAddress === "proxy-protocol" ? { proxyProtocol: true } : {}),
        ...(draft.clientSampling === "on" ? { sampleClients: true } : {}),
      };
    case "session":
      return { type, ...ours, ...toSession(draft.session) };
    case "adaptive":
      return { type, poolId: draft.poolId, ...toAdaptive(draft.adaptive) };
    case "cloud":
      return { type, provider: draft.provider, scheme: draft.scheme };
    default:
      return type satisfies never;
  }
}

function seconds<Key extends string>(key: Key, text: string): { [K in Key]?: number } {
  return (text.trim() ? { [key]: toNumber(text) } : {}) as { [K in Key]?: number };
}

function selectorOf(draft: ExposureDraft): PairRow[] {
  return draft.workloadKind === "selector" ? draft.selector : [];
}

function doubledNames(path: string, rows: PairRow[]): Problems {
  const names = rows.map((row) => row.name.trim()).filter(Boolean);
  const doubled = names.find((name, i) => names.indexOf(name) !== i);
  return doubled ? { [path]: `Duplicate ${doubled}. Keep one.` } : {};
}

function optional<Key extends string>(key: Key, value: string): { [K in Key]?: string } {
  return (value ? { [key]: value } : {}) as { [K in Key]?: string };
}

const words: [RegExp, string][] = [
  [/^clusterId$/, "Choose the cluster that runs the workload."],
  [/^placements\.\d+\.clusterId$/, "Choose a cluster that runs the workload too."],
  [/^placements\.0\.share$/, "The other shares add up to more than 100 %: lower one."],
  [/^placements\.\d+\.share$/, "Enter a whole number of percent between 0 and 100."],
  [/^ports\.\d+\.(port|targetPort)$/, "Enter a port between 1 and 65535."],
  [/^strategy\.replicas$/, "Enter a number of replicas between 1 and 64."],
  [/^strategy\.outside\.replicas$/, "Enter a number of balancers between 1 and 64."],
  [/^strategy\.poolId$/, "Choose the pool that its address comes from."],
  [/^strategy\.dnsZone$/, "Enter the zone of the names, such as games.example.com."],
  [/^strategy\.keepSeconds$/, "Enter seconds between 0 and 86400, or leave it empty for five minutes."],
  [/^strategy\.sessionDrainSeconds$/, "Enter seconds between 0 and 86400, or leave it empty for none."],
  [
    /^strategy\.serverNames$/,
    "Enter up to 8 names that clients use, such as shop.example.com, comma-separated; or leave it empty.",
  ],
  [/^strategy\.ticketKeys\.secret$/, "Enter the name of a Secret, such as shop-tickets."],
  [/^strategy\.ticketKeys\.rotateHours$/, "Enter hours between 1 and 720."],
  [/^strategy\.ticketHours$/, "Enter hours between 1 and 168."],
  [/^healthCheck\.port$/, "Enter a port between 1 and 65535, or leave it empty for the instance's own."],
  [/^healthCheck\.intervalMs$/, "Enter milliseconds between 100 and 300000."],
  [/^healthCheck\.timeoutMs$/, "Enter milliseconds between 1 and 300000."],
  [/^healthCheck\.(rise|fall)$/, "Enter a number between 1 and 100."],
  [/^healthCheck\.statuses$/, "Enter up to 32 statuses between 100 and 599, comma-separated."],
  [
    /^(labels|workload\.selector|strategy\.standby)(\.|$)/,
    "A label needs a name of 1 to 63 characters. Its value can have up to 63.",
  ],
];

function wordsFor(path: string, message: string, strategy: Strategy["type"]): string {
  if (path === "strategy.drainSeconds")
    return strategy === "session" || strategy === "adaptive"
      ? "Enter seconds between 0 and 86400, or leave it empty for a minute."
      : "Enter seconds between 0 and 3600, or leave it empty for ten seconds.";
  return words.find(([pattern]) => pattern.test(path))?.[1] ?? asSentence(message);
}

/**
 * asSentence turns the short messages of the domain into sentences. Complete sentences, such as the server's, stay
 * unchanged.
 */
export function asSentence(text: string): string {
  if (/[.!?]$/.test(text)) return text;
  const isWord = /^[a-z]+[\s,.]/.test(text);
  return `${isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text}.`;
}
