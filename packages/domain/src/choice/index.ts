export * from "./candidate.ts";
export { type BalancerMachine, type Capacity, capacityOf } from "./capacity.ts";
export * from "./choice.ts";
export { criteria } from "./criteria.ts";
export { type RankInput, rankCandidates } from "./rank-candidates.ts";
export * from "./requirements.ts";
export { type SettledWinner, settleWinner } from "./settle-winner.ts";
export { stateText } from "./state-text.ts";
