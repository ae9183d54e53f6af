import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
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

export type FleetOptions = { agents: number; seconds: number; rampSeconds: number; warmupSeconds: number };

const seriesPerReport = 21;
const pointsPerSeries = 5;

/** startFleet plays agents over the real protocol, each with an identity of its own. */
export async function startFleet(
  root: string,
  stack: Stack,
  options: FleetOptions,
): Promise<{ pid: number; measuring: Promise<void>; summary: Promise<Figures>; lines: Figures[] }> {
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
    duration: `${options.seconds}s`,
  };
  const child = spawn(
    binary,
    Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines: Figures[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(JSON.parse(line) as Figures));
  const settled = (options.rampSeconds + options.warmupSeconds) * 1_000;
  return {
    pid: child.pid ?? 0,
    lines,
    measuring: new Promise((resolve) => setTimeout(resolve, settled)),
    summary: summaryOf(child, lines),
  };
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
