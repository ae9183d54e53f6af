import type { Tx } from "@fairlead/db";
import type { ClusterKind } from "@fairlead/domain/cluster";
import type { Exposure, Strategy } from "@fairlead/domain/exposure";
import { joinStrategy } from "@fairlead/services";

/** ExposureHead is the few fields that decide whether the rest of an exposure must be loaded at all, as they are in effect. */
export type ExposureHead = {
  organizationId: string;
  name: string;
  cluster: { id: string; name: string; kind: ClusterKind };
  strategy: Strategy;
  generation: number;
  deletedAt: Date | null;
  /** If set, nothing is changed outside. */
  pausedAt: Date | null;
  observedGeneration: number;
  phase: Exposure["phase"];
  message: string;
  applied: boolean;
  appliedDigest: string;
};

export async function findExposureHead(tx: Tx, id: string): Promise<ExposureHead | null> {
  type Row = Omit<ExposureHead, "strategy"> & { type: Strategy["type"]; parameters: object };
  const [row] = await tx.$queryRaw<Row[]>`
    /* planned once */
    SELECT e.organization_id AS "organizationId", e.name, jsonb_build_object('id', c.id, 'name', c.name, 'kind', c.kind) AS cluster,
      e.strategy AS type, e.parameters, e.generation, e.deleted_at AS "deletedAt",
      e.paused_at AS "pausedAt",
      coalesce(s.observed_generation, 0) AS "observedGeneration", coalesce(s.phase, 'pending') AS phase,
      coalesce(s.message, '') AS message, coalesce(s.applied, false) AS applied, coalesce(s.applied_digest, '') AS "appliedDigest"
    FROM exposure_in_effect_view e JOIN cluster c ON c.id = e.cluster_id LEFT JOIN exposure_status s ON s.exposure_id = e.id
    WHERE e.id = ${id}`;
  if (!row) return null;
  const { type, parameters, ...head } = row;
  return { ...head, strategy: joinStrategy(type, parameters) };
}
