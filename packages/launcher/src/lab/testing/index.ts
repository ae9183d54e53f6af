export { countAnswers, type RunningLoad, startLoad } from "./load.ts";
export type { Load } from "./load-client.ts";
export { type Applied, followMove } from "./moves.ts";
export { setTwoClusters, type TwoClusters } from "./two-clusters.ts";
export { until } from "./until.ts";
