import type { ClusterRouting } from "@fairlead/domain";

/** What a cluster's routing has good defaults for, as people write it. */
export type AdvancedRouting = {
  nearOnly: boolean;
  preference: string;
  /** Empty for none. */
  med: string;
  communities: string;
  mostRoutes: string;
  keepSeconds: string;
  settleSeconds: string;
  mostNextHops: string;
  /** Empty for a third of the hold time. */
  keepaliveSeconds: string;
};

type Numbers = "preference" | "mostRoutes" | "keepSeconds" | "settleSeconds" | "mostNextHops";
type Optional = "med" | "keepaliveSeconds";
type Parts = Pick<ClusterRouting, "nearOnly" | "communities" | Numbers | Optional>;

const usual: Parts = {
  nearOnly: false,
  preference: 100,
  med: undefined,
  communities: [],
  mostRoutes: 10_000,
  keepSeconds: 300,
  settleSeconds: 10,
  mostNextHops: 16,
  keepaliveSeconds: undefined,
};

const optional: readonly string[] = ["communities", "med", "keepaliveSeconds"];
export const isOptional = (field: keyof Parts): boolean => optional.includes(field);
export const advancedFields = Object.keys(usual) as (keyof Parts)[];

export function toAdvanced(routing: Parts | null): AdvancedRouting {
  const { nearOnly, communities, ...numbers } = routing ?? usual;
  return {
    nearOnly,
    communities: communities.join(" "),
    preference: String(numbers.preference),
    med: String(numbers.med ?? ""),
    mostRoutes: String(numbers.mostRoutes),
    keepSeconds: String(numbers.keepSeconds),
    settleSeconds: String(numbers.settleSeconds),
    mostNextHops: String(numbers.mostNextHops),
    keepaliveSeconds: String(numbers.keepaliveSeconds ?? ""),
  };
}

/** What is no number becomes none, for the schema to complain about; so does an empty field that has to be filled, which is not 0. */
export function fromAdvanced(written: AdvancedRouting): Parts {
  const number = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));
  const optionalNumber = (text: string) => (text.trim() === "" ? undefined : Number(text));
  return {
    nearOnly: written.nearOnly,
    communities: written.communities.split(/[\s,]+/).filter((word) => word !== ""),
    preference: number(written.preference),
    med: optionalNumber(written.med),
    mostRoutes: number(written.mostRoutes),
    keepSeconds: number(written.keepSeconds),
    settleSeconds: number(written.settleSeconds),
    mostNextHops: number(written.mostNextHops),
    keepaliveSeconds: optionalNumber(written.keepaliveSeconds),
  };
}

/** What stands behind the closed part: only what isn't as usual is worth a word. */
export function describeAdvanced(written: AdvancedRouting): string {
  const { nearOnly, preference, med, communities, mostRoutes, keepSeconds, settleSeconds } = written;
  const { mostNextHops, keepaliveSeconds } = written;
  const words = [
    nearOnly ? "neighbours only" : "",
    preference === String(usual.preference) ? "" : `preference ${preference}`,
    med.trim() === "" ? "" : `MED ${med.trim()}`,
    communities.trim() === "" ? "" : `communities ${communities.trim()}`,
    mostRoutes === String(usual.mostRoutes) ? "" : `${mostRoutes} routes at most`,
    keepSeconds === String(usual.keepSeconds) ? "" : `routes kept ${keepSeconds} s`,
    settleSeconds === String(usual.settleSeconds) ? "" : `settled after ${settleSeconds} s`,
    mostNextHops === String(usual.mostNextHops) ? "" : `${mostNextHops} next hops`,
    keepaliveSeconds.trim() === "" ? "" : `keepalive ${keepaliveSeconds.trim()} s`,
  ].filter(Boolean);
  return words.length > 0 ? words.join(", ") : "as usual: preference 100, routes kept 5 minutes without a peer";
}
