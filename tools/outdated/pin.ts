/** Pin is one version that the repository fixes, and the newest that its registry has. */
export type Pin = {
  name: string;
  have: string;
  newest: string;
  where: string;
  /** All published versions, if a held-back dependency may still move within a bound. */
  versions?: string[];
};

/** Lookup is the result of one kind of registry, and what couldn't be looked up, with the reason. */
export type Lookup = { pins: Pin[]; failed: string[] };
