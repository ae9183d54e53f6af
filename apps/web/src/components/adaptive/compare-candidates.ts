import type { AdaptiveDecision } from "@fairlead/domain/exposure";

export type Candidate = AdaptiveDecision["candidates"][number] & { isChosen: boolean };

/** compareCandidates marks the candidate that got the connection. It is no candidate if it was chosen by weight. */
export function compareCandidates({ candidates, toNodeId }: AdaptiveDecision): Candidate[] {
  return candidates.map((each) => ({ ...each, isChosen: each.nodeId === toNodeId }));
}
