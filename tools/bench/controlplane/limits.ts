import { summarize } from "@fairlead/domain/benchmark";

/** Opening is the breakdown of one page load, in milliseconds. */
export type Opening = {
  took: number;
  /** Main thread time of the page, by kind of work. */
  script: number;
  layoutAndStyle: number;
  paintAndRest: number;
  /** While at least one response of the server was pending. */
  answers: number;
};

/** explainShares lists the users of the processors during a measurement, the largest first. */
export function explainShares(shares: Record<string, number>): string {
  const list = Object.entries(shares)
    .sort(([, a], [, b]) => b - a)
    .map(([name, share]) => `${name} ${Math.round(share * 100)} %`);
  return `of one core, ${list.join(", ")}`;
}

/** explainOpenings breaks down the load time of a page, the largest part first. Server and page may work in parallel. */
export function explainOpenings(openings: Opening[]): string {
  const middle = (of: (each: Opening) => number) => Math.round(summarize(openings.map(of)).median);
  const list = Object.entries({
    "its scripts": middle((each) => each.script),
    "layout and style": middle((each) => each.layoutAndStyle),
    "painting and the rest of the page": middle((each) => each.paintAndRest),
    "awaiting the server": middle((each) => each.answers),
  })
    .sort(([, a], [, b]) => b - a)
    .map(([name, ms]) => `${name} ${ms} ms`);
  return `of ${middle((each) => each.took)} ms, ${list.join(", ")} (medians)`;
}

/** covered returns the total length of the union of spans. */
export function covered(spans: [from: number, to: number][]): number {
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    total += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return total;
}
