/** Kinds of change of an instance's part of an address map. */
export const mappingChanges = ["added", "moved", "ready", "unready", "removed"] as const;

/** Values of the parameter format, which overrides the path and Accept. */
export const mapFormats = ["json", "yaml", "compact"] as const;
export type MapFormat = (typeof mapFormats)[number];

/** Who may read an address map, besides users who may change its exposure. */
export const mapAccessModes = ["organization", "keys"] as const;
