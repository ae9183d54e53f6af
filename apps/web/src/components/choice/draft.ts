import type { ChoiceKind, ChooseInput, RequirementName } from "@fairlead/domain/choice";

export const importances = ["ignored", "preferred", "required"] as const;
export type Importance = (typeof importances)[number];

/** What is entered for a requirement, as text. */
export type RequirementDraft = { importance: Importance; value: string; weight: string };

export type ChoiceDraft = {
  among: ChoiceKind;
  clusterId: string;
  from: string;
  requirements: Partial<Record<RequirementName, RequirementDraft>>;
};

export const emptyDraft: ChoiceDraft = { among: "clusters", clusterId: "", from: "", requirements: {} };
export const emptyRequirement: RequirementDraft = { importance: "ignored", value: "", weight: "1" };

const words = (text: string) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);

/** Text that is no number becomes NaN, which the schema rejects. */
const number = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** How the text of each requirement becomes its field; null has none. */
const values: Record<RequirementName, { field: string; read: (text: string) => unknown } | null> = {
  addressFamily: { field: "family", read: (text) => text || "ipv4" },
  perInstanceMap: null,
  tlsPersistence: null,
  latencyMsP99: { field: "atMost", read: number },
  headroomMbps: { field: "atLeast", read: number },
  headroomConnections: { field: "atLeast", read: number },
  region: { field: "anyOf", read: words },
  hourlyPrice: { field: "atMost", read: number },
  availability: { field: "atLeastPercent", read: number },
  labels: { field: "match", read: (text) => Object.fromEntries(words(text).map(pair)) },
};

function pair(text: string): [string, string] {
  const [key = "", ...value] = text.split("=");
  return [key.trim(), value.join("=").trim()];
}

/** toRequest returns what the API takes. */
export function toRequest({ among, clusterId, from, requirements }: ChoiceDraft): ChooseInput {
  const asked = (Object.entries(requirements) as [RequirementName, RequirementDraft][])
    .filter(([name, { importance }]) => importance !== "ignored" && Object.hasOwn(values, name))
    .map(([name, { importance, value, weight }]) => {
      const own = values[name];
      const limit = own ? { [own.field]: own.read(value) } : {};
      return [name, { ...limit, required: importance === "required", weight: number(weight) }];
    });
  return {
    among,
    ...(clusterId ? { clusterId } : {}),
    ...(from ? { from } : {}),
    requirements: Object.fromEntries(asked),
  };
}

/** fieldOf is where the error of a requirement's value is; null if it has no value. */
export function fieldOf(name: RequirementName): string | null {
  const own = values[name];
  return own ? `requirements.${name}.${own.field}` : null;
}

/** The paths whose errors are under a field. Those of entries, such as one of several regions, are within it. */
export const shownPaths = [
  ...(Object.keys(values) as RequirementName[]).flatMap((name) => [fieldOf(name) ?? "", `requirements.${name}.weight`]),
  "from",
  "clusterId",
].filter(Boolean);

/** readDraft reads the draft of an address; null if it isn't one. */
export function readDraft(value: unknown): ChoiceDraft | null {
  if (typeof value !== "object" || value === null) return null;
  const given = value as Record<string, unknown>;
  const text = (each: unknown) => (typeof each === "string" ? each : "");
  const requirements: ChoiceDraft["requirements"] = {};
  for (const [name, each] of Object.entries((given.requirements ?? {}) as Record<string, unknown>)) {
    if (!Object.hasOwn(values, name) || typeof each !== "object" || each === null) continue;
    const { importance, value, weight } = each as Record<string, unknown>;
    const known = importances.find((word) => word === importance) ?? "ignored";
    requirements[name as RequirementName] = { importance: known, value: text(value), weight: text(weight) || "1" };
  }
  return {
    among: given.among === "exposures" ? "exposures" : "clusters",
    clusterId: text(given.clusterId),
    from: text(given.from),
    requirements,
  };
}
