/**
 * mostStaleMs is by how much, for each balancer of an exposure, `observed_at` may be behind the last look: a look that
 * finds nothing changed then spends at most a hundredth of its time on writing that.
 */
export const mostStaleMs = 5;
