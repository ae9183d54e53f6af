/**
 * simulatorLimits are what one prediction may take, so that it ends in about a second with some 100 MB. The program rejects
 * more: `node tools/generate.ts` writes them for Go too.
 */
export const simulatorLimits = {
  plans: 2,
  /** Of all plans, as JSON. */
  bytes: 1_048_576,
  nodes: 32,
  backends: 1_000,
  requests: 200_000,
  /** That nodes send each other. */
  figures: 300_000,
  /** That a node keeps open. */
  connections: 10_000,
} as const;
