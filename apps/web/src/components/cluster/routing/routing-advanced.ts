import type { ClusterRouting } from "@fairlead/domain/routing";

/** The settings of a cluster's routing that have good defaults, as text. */
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

/** Invalid numbers become NaN and fail the schema. So does an empty required field, which must not become 0. */
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

/** The summary of the closed section: only values that differ from the defaults. */
export function describeAdvanced(written: AdvancedRouting): string {
  const { nearOnly, preference, med, communities, mostRoutes, keepSeconds, settleSeconds } = written;
  const { mostNextHops, keepaliveSeconds } = written;
  const words = [
    nearOnly ? "direct neighbors only" : "",
    preference === String(usual.preference) ? "" : `preference ${preference}`,
    med.trim() === "" ? "" : `MED ${med.trim()}`,
    communities.trim() === "" ? "" : `communities ${communities.trim()}`,
    mostRoutes === String(usual.mostRoutes) ? "" : `at most ${mostRoutes} routes`,
    keepSeconds === String(usual.keepSeconds) ? "" : `routes retained ${keepSeconds} s`,
    settleSeconds === String(usual.settleSeconds) ? "" : `settle time ${settleSeconds} s`,
    mostNextHops === String(usual.mostNextHops) ? "" : `${mostNextHops} next hops`,
    keepaliveSeconds.trim() === "" ? "" : `keepalive ${keepaliveSeconds.trim()} s`,
  ].filter(Boolean);
  return words.length > 0 ? words.join(", ") : "defaults: preference 100, routes retained 5 minutes without a peer";
}
