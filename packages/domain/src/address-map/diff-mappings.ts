import { familyOf } from "../address/family.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { ObservedMapping } from "../exposure/exposure-state.ts";
import type { mappingChanges } from "./map-kinds.ts";

/** MappedInstance is an instance's part of an address map, in one family of internal addresses. */
export type MappedInstance = {
  pod: string | null;
  node: string | null;
  /** Whether all of its ports are. */
  ready: boolean;
  ends: MappedEnd[];
};
export type MappedEnd = Pick<
  ObservedMapping,
  "protocol" | "internalAddress" | "internalPort" | "externalAddress" | "externalPort" | "serverName" | "ready"
>;

export type InstanceChange = {
  instance: string;
  what: (typeof mappingChanges)[number];
  before: MappedInstance | null;
  after: MappedInstance | null;
};

/**
 * diffMappings lists the changes that matter to a client: instances that were added or removed, moved, or changed their
 * readiness. An instance that was replaced by one of the same name has moved.
 */
export function diffMappings(before: readonly ObservedMapping[], after: readonly ObservedMapping[]): InstanceChange[] {
  const was = byInstance(before);
  const is = byInstance(after);
  const keys = [...new Set([...was.keys(), ...is.keys()])].sort();
  return keys.flatMap((key) => {
    const old = was.get(key);
    const next = is.get(key);
    const what = compare(old?.mapped, next?.mapped);
    const instance = (next ?? old)?.instance;
    if (!what || instance === undefined) return [];
    return [{ instance, what, before: old?.mapped ?? null, after: next?.mapped ?? null }];
  });
}

function compare(old: MappedInstance | undefined, next: MappedInstance | undefined): InstanceChange["what"] | null {
  if (!old) return next ? "added" : null;
  if (!next) return "removed";
  if (canonicalJson(old) === canonicalJson(next)) return null;
  if (canonicalJson(withoutReadiness(old)) !== canonicalJson(withoutReadiness(next))) return "moved";
  return next.ready ? "ready" : "unready";
}

function withoutReadiness({ pod, node, ends }: MappedInstance): object {
  return { pod, node, ends: ends.map(({ ready: _, ...end }) => end) };
}

/** The two families of an instance are separate parts: a client of one isn't affected by the other. */
function byInstance(mappings: readonly ObservedMapping[]): Map<string, { instance: string; mapped: MappedInstance }> {
  const groups = Map.groupBy(mappings, (each) => `${familyOf(each.internalAddress)} ${each.instance}`);
  return new Map([...groups].map(([key, group]) => [key, { instance: group[0]?.instance ?? "", mapped: join(group) }]));
}

function join(group: ObservedMapping[]): MappedInstance {
  const [first] = group;
  return {
    pod: first?.pod ?? null,
    node: first?.node ?? null,
    ready: group.every((each) => each.ready),
    ends: group
      .map(({ protocol, internalAddress, internalPort, externalAddress, externalPort, serverName, ready }) => ({
        protocol,
        internalAddress,
        internalPort,
        externalAddress,
        externalPort,
        ...(serverName === undefined ? {} : { serverName }),
        ready,
      }))
      .sort(byEnd),
  };
}

function byEnd(a: MappedEnd, b: MappedEnd): number {
  return a.internalPort - b.internalPort || compareText(canonicalJson(a), canonicalJson(b));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
