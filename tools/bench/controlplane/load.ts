import { setTimeout as sleep } from "node:timers/promises";
import { type Figures, startFleet } from "../fleet.ts";
import type { Stack } from "./stack.ts";

export type LoadOptions = {
  agents: number;
  rampSeconds: number;
  warmupSeconds: number;
  everySeconds: number;
  /** Whether a measurement fails if the fleet stops reporting during it. */
  mustBeSteady: boolean;
};

export type Load = {
  pid: number;
  lines: Figures[];
  /** Resolves when all agents report steadily. */
  measuring: Promise<void>;
  /** underLoad measures something while the fleet reports, and fails if the fleet stops reporting. */
  underLoad: <T>(what: string, measure: () => Promise<T>) => Promise<T>;
  /** end stops the reports, waits for the pending responses, and returns the summary. */
  end: () => Promise<Figures>;
};

const seriesPerReport = 21;
const pointsPerSeries = 5;

/** startLoad starts a simulated fleet that reports to the stack until it is stopped. */
export async function startLoad(root: string, stack: Stack, options: LoadOptions): Promise<Load> {
  const { agents, rampSeconds, warmupSeconds, everySeconds, mustBeSteady } = options;
  const fleet = startFleet(root, {
    gatewayUrl: stack.gatewayUrl,
    folder: stack.dataFolder,
    tokens: await makeTokens(stack, agents),
    series: seriesPerReport,
    points: pointsPerSeries,
    rampSeconds,
    warmupSeconds,
    everySeconds,
  });
  const { pid, lines, summary } = fleet;
  const settled = (rampSeconds + warmupSeconds) * 1_000;
  return {
    pid,
    lines,
    measuring: sleep(settled),
    async underLoad(what, measure) {
      const from = lines.length;
      const measured = await measure();
      // The fleet prints a line every few seconds: one more line covers the end of the measurement.
      const until = lines.length;
      while (lines.length === until) await Promise.race([fleet.nextLine(), summary.then(gone)]);
      if (mustBeSteady) requireSteady(what, lines.slice(Math.max(0, from - 1)));
      return measured;
    },
    end() {
      fleet.end();
      return summary;
    },
  };
}

function gone(): never {
  throw new Error("the simulated fleet ended while something was measured under its load");
}

/** requireSteady rejects a measurement if no report was acknowledged between two lines. */
export function requireSteady(what: string, figures: Pick<Figures, "reportsAcked">[]): void {
  // Nothing counts before the warm-up is over.
  const lines = figures.slice(
    Math.max(
      0,
      figures.findLastIndex((line) => line.reportsAcked === 0),
    ),
  );
  const still = lines.findIndex((line, i) => i > 0 && line.reportsAcked <= (lines[i - 1]?.reportsAcked ?? 0));
  if (still < 0 && lines.length > 1) return;
  throw new Error(`${what} was measured without load: the fleet's count of acknowledged reports did not change`);
}

/** makeTokens creates a one-time token per agent through the API, for the seeded clusters in turn. */
async function makeTokens(stack: Stack, count: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${stack.key}`, "content-type": "application/json" };
  const clusters = (await (await fetch(`${stack.url}/api/v1/clusters?limit=200`, { headers })).json()) as {
    items: { id: string }[];
  };
  const tokens: string[] = [];
  for (let i = 0; i < count; i++) {
    const cluster = clusters.items[i % clusters.items.length];
    const response = await fetch(`${stack.url}/api/v1/enrollment-tokens`, {
      method: "POST",
      headers,
      body: JSON.stringify({ clusterId: cluster?.id }),
    });
    if (response.status !== 201)
      throw new Error(`creating a token returned ${response.status}: ${await response.text()}`);
    tokens.push(((await response.json()) as { token: string }).token);
  }
  return tokens;
}
