import type { Tx } from "@fairlead/db";

/** freezeSpec pauses an exposure, and keeps the spec that is in effect: exposure_in_effect_view reads it. */
export async function freezeSpec(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE exposure SET paused_at = ${now}, paused_spec = jsonb_build_object('name', name, 'workload', workload, 'ports', ports,
      'strategy', strategy, 'parameters', parameters, 'placements', placements, 'health_check', health_check)
    WHERE id = ${id}`;
}
