/**
 * mostStaleMs is how far, for each balancer of an exposure, `observed_at` may lag behind the last pass: a pass without
 * changes then spends at most a hundredth of its time on updating it.
 */
export const mostStaleMs = 5;
