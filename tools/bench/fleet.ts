import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

/** One line of the simulated fleet's output. */
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

export type FleetOptions = {
  gatewayUrl: string;
  /** Where its identities and tokens are kept. */
  folder: string;
  /** One for each agent. */
  tokens: readonly string[];
  series: number;
  points: number;
  rampSeconds: number;
  warmupSeconds: number;
  /** Interval of an agent's reports, and of the output lines. */
  everySeconds: number;
  /** Duration; without it, until end(). */
  seconds?: number;
};

export type Fleet = {
  pid: number;
  lines: Figures[];
  nextLine: () => Promise<void>;
  /** end stops the reports and waits for the pending responses. */
  end: () => void;
  summary: Promise<Figures>;
};

/** startFleet simulates agents over the real protocol, each with its own identity. */
export function startFleet(root: string, options: FleetOptions): Fleet {
  const binary = path.join(root, "agents/bin/fairlead-fleet");
  execFileSync("go", ["build", "-trimpath", "-o", binary, "./cmd/fairlead-fleet"], {
    cwd: path.join(root, "agents"),
    stdio: "inherit",
  });
  const tokens = path.join(options.folder, "tokens");
  writeFileSync(tokens, options.tokens.join("\n"), { mode: 0o600 });
  const args = {
    "control-plane": options.gatewayUrl,
    identities: path.join(options.folder, "identities"),
    tokens,
    agents: options.tokens.length,
    series: options.series,
    points: options.points,
    "report-every": `${options.everySeconds}s`,
    "print-every": `${options.everySeconds}s`,
    ramp: `${options.rampSeconds}s`,
    warmup: `${options.warmupSeconds}s`,
    ...(options.seconds === undefined ? {} : { duration: `${options.seconds}s` }),
  };
  const child = spawn(
    binary,
    Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines: Figures[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(JSON.parse(line) as Figures));
  const summary = new Promise<Figures>((resolve, reject) => {
    child.once("close", (code) => {
      const last = lines.findLast((line) => line.summary);
      if (last) resolve(last);
      else reject(new Error(`the simulated fleet ended with ${code} and no summary`));
    });
  });
  summary.catch(() => {}); // callers that wait for it, or for a line, get the error
  return {
    pid: child.pid ?? 0,
    lines,
    nextLine: () => new Promise((resolve) => reader.once("line", () => resolve())),
    end: () => child.kill("SIGINT"),
    summary,
  };
}

/** ratesOf returns the samples per second between consecutive lines. */
export function ratesOf(figures: readonly Pick<Figures, "summary" | "measuredSeconds" | "pointsAcked">[]): number[] {
  const lines = figures.filter((line) => !line.summary);
  return lines.slice(1).flatMap((line, i) => {
    const before = lines[i];
    const seconds = before ? line.measuredSeconds - before.measuredSeconds : 0;
    return before && seconds > 0 ? [(line.pointsAcked - before.pointsAcked) / seconds] : [];
  });
}
