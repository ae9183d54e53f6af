/** What happened to an instance's part of an address map. */
export const mappingChanges = ["added", "moved", "ready", "unready", "removed"] as const;

/** How a map is written besides the form that was asked for by its path or by Accept. */
export const mapFormats = ["json", "yaml", "compact"] as const;
export type MapFormat = (typeof mapFormats)[number];

/** Who may read an address map besides who may change its exposure. */
export const mapAccessModes = ["organization", "keys"] as const;
