import type { MapAccess } from "@fairlead/domain";

export type AccessDraft = { mode: MapAccess["mode"]; keys: string[]; networks: string };

export function toAccessDraft({ mode, keys, networks }: MapAccess): AccessDraft {
  return { mode, keys, networks: networks.join("\n") };
}

/** toMapAccess is what is sent: whole, so that what a person took out goes. */
export function toMapAccess({ mode, keys, networks }: AccessDraft): MapAccess {
  return {
    mode,
    keys: mode === "keys" ? keys : [],
    networks: networks.split(/[\s,]+/).filter((each) => each !== ""),
  };
}

/** describeAccess says who may read a map, in a sentence. */
export function describeAccess({ mode, keys, networks }: MapAccess): string {
  const who =
    mode === "organization"
      ? "Whoever may read this exposure may read its map"
      : `${keys.length === 1 ? "One API key" : `${keys.length} API keys`} and people who may change this exposure may read its map`;
  const where = networks.length === 0 ? "from anywhere" : `from ${networks.join(", ")} only`;
  return `${who}, ${where}.`;
}
