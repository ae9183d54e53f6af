import type { Tx } from "@fairlead/db";

export type ThinStep = { at: Date; replicas: string[] };

/** selectThinSteps reads at most so many steps, evenly spread over all of them: the last one of each group. */
export async function selectThinSteps(
  tx: Tx,
  experimentId: string,
  kind: "requested" | "observed",
  most: number,
): Promise<ThinStep[]> {
  return tx.$queryRaw<ThinStep[]>`
    SELECT at, replicas FROM experiment_step WHERE id IN (
      SELECT DISTINCT ON (place) id FROM (
        SELECT id, at, ntile(${most}::int) OVER (ORDER BY at, id) AS place FROM experiment_step
        WHERE experiment_id = ${experimentId} AND kind = ${kind}
      ) AS placed ORDER BY place, at DESC, id DESC
    ) ORDER BY at, id`;
}
