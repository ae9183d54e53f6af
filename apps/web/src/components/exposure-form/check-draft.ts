import { type CreateExposure, createExposure, findStrategyProblem, type Strategy } from "@fairlead/domain";
import {
  type ExposureDraft,
  hasClientAddress,
  hasHealthCheck,
  hasInstanceBalancers,
  hasNamedBalancer,
  hasScheduler,
  type PairRow,
  type PortRow,
} from "./draft.ts";
import { toHealthCheck, toNumber } from "./health-check-draft.ts";

/** What is wrong, by the path of the field in the wish: "ports.0.port", "strategy.poolId". */
export type Problems = Record<string, string>;

export type CheckedDraft = { wish: CreateExposure; problems: null } | { wish: null; problems: Problems };

/** checkDraft reads the form as the wish it stands for. The rules are the domain's; only their words are ours. */
export function checkDraft(draft: ExposureDraft): CheckedDraft {
  const parsed = createExposure.safeParse(toWish(draft));
  const doubled = { ...doubledNames("labels", draft.labels), ...doubledNames("workload.selector", selectorOf(draft)) };
  if (parsed.success && Object.keys(doubled).length === 0) return { wish: parsed.data, problems: null };
  const problems: Problems = doubled;
  for (const issue of parsed.error?.issues ?? []) {
    const path = fieldOf(issue.path);
    problems[path] ??= issue.code === "custom" ? asSentence(issue.message) : wordsFor(path, issue.message);
  }
  // The domain looks at the whole only once every part is right; here it is said while people choose.
  const problem = findStrategyProblem(toStrategy(draft), draft.ports.map(toPort).filter(isWhole));
  if (problem) problems[problem.path.join(".")] ??= asSentence(problem.message);
  return { wish: null, problems };
}

/** The path of the field that a problem belongs under: statuses are many values, and one field. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.join(".").replace(/^(healthCheck\.statuses)\..*/, "$1");
}

function toWish(draft: ExposureDraft) {
  const bySelector = draft.workloadKind === "selector";
  return {
    clusterId: draft.clusterId,
    name: draft.name.trim(),
    workload: {
      namespace: draft.namespace.trim(),
      kind: draft.workloadKind,
      ...(bySelector ? { selector: toMap(draft.selector) } : optional("name", draft.workloadName.trim())),
    },
    ports: draft.ports.map(toPort),
    strategy: toStrategy(draft),
    ...(hasHealthCheck(draft) ? { healthCheck: toHealthCheck(draft.healthCheck) } : {}),
    labels: toMap(draft.labels),
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
        ...optional("dnsZone", draft.dnsZone.trim()),
        ...(draft.keepSeconds.trim() ? { keepSeconds: toNumber(draft.keepSeconds) } : {}),
        ...(draft.drainSeconds.trim() ? { drainSeconds: toNumber(draft.drainSeconds) } : {}),
      };
    case "ecmp":
      return {
        type,
        ...ours,
        ...(draft.engine === "auto" ? {} : { engine: draft.engine }),
        ...(draft.delivery === "best" ? {} : { delivery: draft.delivery }),
        ...(hasScheduler(draft) && draft.scheduler !== "own" ? { scheduler: draft.scheduler } : {}),
        ...(hasClientAddress(draft) && draft.clientAddress === "proxy-protocol" ? { proxyProtocol: true } : {}),
      };
    case "session":
      return { type, ...ours };
    case "adaptive":
      return { type, ...ours, thresholdPercent: toNumber(draft.thresholdPercent) };
    case "cloud":
      return { type, provider: draft.provider, scheme: draft.scheme };
    default:
      return type satisfies never;
  }
}

function selectorOf(draft: ExposureDraft): PairRow[] {
  return draft.workloadKind === "selector" ? draft.selector : [];
}

/** Rows that were added and left empty mean nothing. */
function toMap(rows: PairRow[]): Record<string, string> {
  const filled = rows.filter((row) => row.name.trim() || row.value.trim());
  return Object.fromEntries(filled.map((row) => [row.name.trim(), row.value.trim()]));
}

function doubledNames(path: string, rows: PairRow[]): Problems {
  const names = rows.map((row) => row.name.trim()).filter(Boolean);
  const doubled = names.find((name, i) => names.indexOf(name) !== i);
  return doubled ? { [path]: `${doubled} is there twice; keep one.` } : {};
}

function optional<Key extends string>(key: Key, value: string): { [K in Key]?: string } {
  return (value ? { [key]: value } : {}) as { [K in Key]?: string };
}

const words: [RegExp, string][] = [
  [/^clusterId$/, "Choose the cluster that runs the workload."],
  [/^ports\.\d+\.(port|targetPort)$/, "Give a port between 1 and 65535."],
  [/^strategy\.replicas$/, "Give a number of replicas between 1 and 64."],
  [/^strategy\.poolId$/, "Choose the pool that its address comes from."],
  [/^strategy\.dnsZone$/, "Give the zone that names end with, such as games.example.com."],
  [/^strategy\.keepSeconds$/, "Give seconds between 0 and 86400, or none for five minutes."],
  [/^strategy\.drainSeconds$/, "Give seconds between 0 and 3600, or none for ten."],
  [/^strategy\.thresholdPercent$/, "Give a percentage between 1 and 100."],
  [/^healthCheck\.port$/, "Give a port between 1 and 65535, or none for the instance's own."],
  [/^healthCheck\.intervalMs$/, "Give milliseconds between 100 and 300000."],
  [/^healthCheck\.timeoutMs$/, "Give milliseconds between 1 and 300000."],
  [/^healthCheck\.(rise|fall)$/, "Give a number between 1 and 100."],
  [/^healthCheck\.statuses$/, "Give up to 32 statuses between 100 and 599, apart by commas."],
  [/^(labels|workload\.selector)(\.|$)/, "A label needs a name of 1 to 63 characters; its value may have 63."],
];

function wordsFor(path: string, message: string): string {
  return words.find(([pattern]) => pattern.test(path))?.[1] ?? asSentence(message);
}

/** asSentence makes a sentence of the domain's short refusals; what is one already, as the server's are, stays as it is. */
export function asSentence(text: string): string {
  if (/[.!?]$/.test(text)) return text;
  const isWord = /^[a-z]+[\s,.]/.test(text);
  return `${isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text}.`;
}
