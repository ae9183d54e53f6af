import type { MapAccess } from "@fairlead/domain/address-map";

export type AccessDraft = { mode: MapAccess["mode"]; keys: string[]; networks: string };

export function toAccessDraft({ mode, keys, networks }: MapAccess): AccessDraft {
  return { mode, keys, networks: networks.join("\n") };
}

/** toMapAccess returns the whole setting, so that removed entries are removed on the server too. */
export function toMapAccess({ mode, keys, networks }: AccessDraft): MapAccess {
  return {
    mode,
    keys: mode === "keys" ? keys : [],
    networks: networks.split(/[\s,]+/).filter((each) => each !== ""),
  };
}

/** describeAccess returns a sentence with who can read a map. */
export function describeAccess({ mode, keys, networks }: MapAccess): string {
  const who =
    mode === "organization"
      ? "All users and keys with access to this exposure can read its map"
      : `${keys.length === 1 ? "One API key" : `${keys.length} API keys`} and users who can change this exposure can read its map`;
  const where = networks.length === 0 ? "from anywhere" : `from ${networks.join(", ")} only`;
  return `${who}, ${where}.`;
}
