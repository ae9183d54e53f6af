import type { CreateExposure } from "../exposure.ts";

/** The fields of a spec that can affect clients, and the addresses that clients use now, if they are known. */
export type SpecForEffects = Pick<CreateExposure, "workload" | "ports" | "strategy"> & {
  healthCheck?: CreateExposure["healthCheck"];
  placements?: CreateExposure["placements"];
  addresses?: readonly string[] | undefined;
};

/** A part of a spec before and after a change, and both whole specs, because the effect of a field can depend on others. */
export type SpecChange<Part> = { before: Part; after: Part; whole: { before: SpecForEffects; after: SpecForEffects } };

/** What the change of a field does to clients and their connections, in sentences. Empty if that field didn't change. */
export type Effect<Part> = (change: SpecChange<Part>) => string[];

/** An entry for each field: null for one that doesn't affect clients. A new field without an entry is a type error. */
export type EffectsOf<Fields, Part = Fields> = { [Field in keyof Fields]-?: Effect<Part> | null };

export function listEffects<Part>(effects: Record<string, Effect<Part> | null>, change: SpecChange<Part>): string[] {
  return Object.values(effects).flatMap((effect) => effect?.(change) ?? []);
}
