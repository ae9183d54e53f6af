import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Stack } from "./stack.ts";

/** One line of what the simulated fleet tells of itself. */
export type Figures = {
  summary: boolean;
  reportsSent: number;
  reportsAcked: number;
  reportsLate: number;
  reportsLost: number;
  measuredSeconds: number;
  pointsAcked: number;
  ackMsP50: number;
  ackMsP99: number;
  ackMsMax: number;
};

export type FleetOptions = { agents: number; rampSeconds: number; warmupSeconds: number };

export type Fleet = {
  pid: number;
  lines: Figures[];
  /** Resolves when all agents report steadily. */
  measuring: Promise<void>;
  /** underLoad measures something while the fleet reports, and fails when it did not. */
  underLoad: <T>(what: string, measure: () => Promise<T>) => Promise<T>;
  /** end stops the reporting, waits for the answers that are due, and answers the summary. */
  end: () => Promise<Figures>;
};

const seriesPerReport = 21;
const pointsPerSeries = 5;

/** startFleet plays agents over the real protocol, each with an identity of its own, until it is ended. */
export async function startFleet(root: string, stack: Stack, options: FleetOptions): Promise<Fleet> {
  const binary = path.join(root, "agents/bin/fairlead-fleet");
  execFileSync("go", ["build", "-trimpath", "-o", binary, "./cmd/fairlead-fleet"], {
    cwd: path.join(root, "agents"),
    stdio: "inherit",
  });
  const tokens = path.join(stack.dataFolder, "tokens");
  writeFileSync(tokens, (await makeTokens(stack, options.agents)).join("\n"), { mode: 0o600 });
  const args = {
    "control-plane": stack.gatewayUrl,
    identities: path.join(stack.dataFolder, "identities"),
    tokens,
    agents: options.agents,
    series: seriesPerReport,
    points: pointsPerSeries,
    "report-every": "5s",
    ramp: `${options.rampSeconds}s`,
    warmup: `${options.warmupSeconds}s`,
  };
  const child = spawn(
    binary,
    Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines: Figures[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(JSON.parse(line) as Figures));
  const summary = summaryOf(child, lines);
  summary.catch(() => {}); // whoever waits for it, or for a line, is told
  const settled = (options.rampSeconds + options.warmupSeconds) * 1_000;
  return {
    pid: child.pid ?? 0,
    lines,
    measuring: new Promise((resolve) => setTimeout(resolve, settled)),
    async underLoad(what, measure) {
      const from = lines.length;
      const measured = await measure();
      // The fleet tells of itself every few seconds: one line more covers the end of what was measured.
      const until = lines.length;
      while (lines.length === until) await Promise.race([nextLine(reader), summary.then(gone)]);
      requireSteady(what, lines.slice(Math.max(0, from - 1)));
      return measured;
    },
    end() {
      child.kill("SIGINT");
      return summary;
    },
  };
}

function nextLine(reader: Interface): Promise<void> {
  return new Promise((resolve) => reader.once("line", () => resolve()));
}

function gone(): never {
  throw new Error("the simulated fleet ended while something was measured under its load");
}

/** requireSteady refuses a measurement during which no report was answered between two lines. */
export function requireSteady(what: string, told: Pick<Figures, "reportsAcked">[]): void {
  // Nothing counts before the warm-up is over.
  const lines = told.slice(
    Math.max(
      0,
      told.findLastIndex((line) => line.reportsAcked === 0),
    ),
  );
  const still = lines.findIndex((line, i) => i > 0 && line.reportsAcked <= (lines[i - 1]?.reportsAcked ?? 0));
  if (still < 0 && lines.length > 1) return;
  throw new Error(`${what} was measured without load: the fleet's count of answered reports stood still`);
}

function summaryOf(child: ChildProcess, lines: Figures[]): Promise<Figures> {
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      const last = lines.findLast((line) => line.summary);
      if (last) resolve(last);
      else reject(new Error(`the simulated fleet ended with ${code} and no summary`));
    });
  });
}

/** makeTokens asks for as many one-time tokens as there are agents, by the API, for the seeded clusters in turn. */
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
      throw new Error(`making a token answered ${response.status}: ${await response.text()}`);
    tokens.push(((await response.json()) as { token: string }).token);
  }
  return tokens;
}
