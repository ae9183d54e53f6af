import type { Tx } from "@fairlead/db";
import { type DesiredExposure, mostInstances, type ObservedInstance } from "@fairlead/domain/exposure";
import { type ExposedInstance, selectExposed } from "./backends.sql.ts";
import type { Outside } from "./look-outside.ts";

export type SeenInstances = {
  /** Empty where a driver observes the instances. */
  rows: readonly ExposedInstance[];
  /** null while they are unknown. */
  instances: readonly ObservedInstance[] | null;
  byName: ReadonlyMap<string, ObservedInstance> | null;
  /** How many more there are than one exposure may have. */
  surplus: number;
};

/** seenInstances returns the instances of an exposure, from our rows or from its cluster. */
export async function seenInstances(tx: Tx, { id }: DesiredExposure, outside: Outside): Promise<SeenInstances> {
  const rows = outside.instances === "stored" ? await selectExposed(tx, id) : [];
  const instances = outside.instances === "stored" ? rows.slice(0, mostInstances).map(toInstance) : outside.instances;
  return {
    rows,
    instances,
    byName: instances && new Map(instances.map((each) => [each.name, each])),
    surplus: outside.surplus + Math.max(0, rows.length - mostInstances),
  };
}

function toInstance({ name, nodeName, addresses, ready }: ExposedInstance): ObservedInstance {
  return { name, ready, place: { pod: name, node: nodeName || null, addresses } };
}
