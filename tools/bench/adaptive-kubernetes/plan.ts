export const nodeCount = 4;
export const roundTripMs = 3;

/** Delay lines look at frames every 0.2 ms, and aim at the mean: each direction may take one such period less. */
export const leastRoundTripMs = roundTripMs - 0.4;

/** What the pods of a node may use; the Go constants nodeCores and quotaPeriod of the package adaptive. */
export const limit = { cores: 0.2, periodMs: 5 };

/** The Go constant serverPort. */
export const serverPort = 8_080;
