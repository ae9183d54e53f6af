import type { FeedEntry, SubjectKind } from "@fairlead/domain";

type RouterName =
  | "apiKey"
  | "audit"
  | "cluster"
  | "enrollmentToken"
  | "event"
  | "exposure"
  | "identityProvider"
  | "invitation"
  | "loadBalancer"
  | "member"
  | "node"
  | "overview"
  | "pool"
  | "session";

/** The router that a subject belongs to first, then those whose answers count or name it. */
const routersOf: Record<SubjectKind, readonly [RouterName, ...RouterName[]]> = {
  cluster: ["cluster", "overview", "exposure", "loadBalancer", "node", "pool"],
  node: ["node", "cluster", "overview"],
  agent: ["node", "cluster", "overview"],
  exposure: ["exposure", "loadBalancer", "cluster", "pool", "overview"],
  "load-balancer": ["loadBalancer", "exposure", "cluster", "pool", "overview"],
  "address-pool": ["pool", "overview"],
  invitation: ["invitation"],
  member: ["member", "session", "invitation"],
  "api-key": ["apiKey"],
  "identity-provider": ["identityProvider"],
  "enrollment-token": ["enrollmentToken"],
  organization: ["session", "member"],
};

/** Every change may have left an event or an audit entry. */
const always: readonly RouterName[] = ["event", "audit"];

export type Affected = (queryKey: readonly unknown[]) => boolean;

/**
 * affectedBy says which cached answers a batch of changes may have changed: every list of a router concerned,
 * but of its single objects only those that changed themselves.
 */
export function affectedBy(entries: readonly FeedEntry[]): Affected {
  const own = new Map<string, Set<string>>();
  const whole = new Set<string>(entries.length > 0 ? always : []);
  for (const { subjectKind, subjectId } of entries) {
    const [first, ...others] = routersOf[subjectKind];
    // An agent's own router is its node's, whose id the entry does not carry.
    if (subjectKind === "agent") whole.add(first);
    else own.set(first, (own.get(first) ?? new Set()).add(subjectId));
    for (const other of others) whole.add(other);
  }
  return (queryKey) => {
    const [path, options] = queryKey as [string[]?, { input?: unknown }?];
    const router = path?.[0];
    if (!router) return false;
    if (whole.has(router)) return true;
    const ids = own.get(router);
    if (!ids) return false;
    const id = idOfInput(options?.input);
    return path[1] !== "get" || id === undefined || ids.has(id);
  };
}

function idOfInput(input: unknown): string | undefined {
  const id = (input as { id?: unknown } | undefined)?.id;
  return typeof id === "string" ? id : undefined;
}
