/** Span is the time range of a plot. */
export type Span = { from: number; to: number };
