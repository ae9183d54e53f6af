import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { nameOf } from "./data.ts";
import { explain, judge } from "./judge.ts";
import { parseLines } from "./measured.ts";
import { ours } from "./subjects.ts";

const allSizes = [1, 16, 256, 1024, 4096];
const sizes = {
  full: {
    ...{ rounds: 9, for: "3s", warmup: "300ms" },
    ...{ flood: { rate: 120_000, least: 100_000, returns: 2_000 }, names: { every: "5m", returns: 10_000 } },
    ...{ data: { rounds: 9, for: "2s", warmup: "500ms", clients: 16, kibibytes: allSizes } },
  },
  quick: {
    ...{ rounds: 3, for: "1s", warmup: "200ms" },
    ...{ flood: { rate: 120_000, least: 100_000, returns: 1_000 }, names: { every: "10s", returns: 5_000 } },
    ...{ data: { rounds: 3, for: "1s", warmup: "500ms", clients: 16, kibibytes: allSizes } },
  },
  smoke: {
    ...{ rounds: 1, for: "150ms", warmup: "50ms" },
    ...{ flood: { rate: 2_000, least: 1, returns: 100 }, names: { every: "1s", returns: 100 } },
    ...{ data: { rounds: 1, for: "150ms", warmup: "100ms", clients: 4, kibibytes: [1, 4096] } },
  },
};

const everyPart = "speed,flood,names,data";

/**
 * A service by TLS session, the plain engine, and HAProxy and nginx in four ways, in front of the same servers: their speed;
 * returns under a flood of SYNs, and after servers changed their ticket key; and requests that need all data of their session.
 * FAIRLEAD_BENCH_SUBJECTS (comma-separated names) selects subjects, --rounds is the number of rounds, and
 * FAIRLEAD_BENCH_PARTS=speed,flood,names,data measures only the named parts.
 */
export const run: Benchmark = async ({ form, root, rounds: wanted }) => {
  const size = sizes[form];
  const { FAIRLEAD_BENCH_SUBJECTS: subjects, FAIRLEAD_BENCH_PARTS: parts = everyPart } = process.env;
  const chosen = parts.split(",");
  const unknown = chosen.filter((part) => !everyPart.split(",").includes(part));
  if (unknown.length > 0) throw new Error(`FAIRLEAD_BENCH_PARTS has ${unknown}: use some of ${everyPart}.`);
  const isOurs = !subjects || subjects.split(",").includes(ours);
  const has = (part: string) => chosen.includes(part);
  const least = {
    ...{ returns: 0, cases: 0 },
    rounds: has("speed") ? (wanted ?? size.rounds) : 0,
    flood: has("flood") && isOurs ? size.flood.least : 0,
    names: has("names") && isOurs ? size.names.returns : 0,
    dataRounds: has("data") ? (wanted ?? size.data.rounds) : 0,
  };
  const options = {
    speed: [`--rounds=${least.rounds}`, `--for=${size.for}`, `--warmup=${size.warmup}`],
    flood: [`--flood=${size.flood.rate}`, `--flood-returns=${size.flood.returns}`],
    names: [`--names=${size.names.every}`, `--names-returns=${size.names.returns}`],
    data: [
      ...[`--data-rounds=${least.dataRounds}`, `--for=${size.data.for}`, `--warmup=${size.data.warmup}`],
      ...[`--clients=${size.data.clients}`, `--sizes=${size.data.kibibytes.map((each) => 1024 * each)}`],
    ],
  };
  const none = { speed: "--rounds=0", flood: "--flood=0", names: "--names=0s", data: "--data-rounds=0" };
  // Data have another time and number of clients for each turn, so each part is a run of its own.
  const lines = await buildPrograms(root, ["fairlead-bench"], async ([bench]) => {
    const all: string[] = [];
    for (const part of ["speed", "flood", "names", "data"] as const) {
      if (!has(part) || (part !== "speed" && part !== "data" && !isOurs)) continue;
      const others = Object.entries(none).flatMap(([other, option]) => (other === part ? [] : [option]));
      const args = [...others, "--returns=0", ...options[part], ...(subjects ? [`--subjects=${subjects}`] : [])];
      all.push(...(await runLines(bench, ["session", ...args], report)));
    }
    return all;
  });
  const measured = parseLines(lines.join("\n"));
  return { results: judge(measured, least, subjects?.split(",")), limits: explain(measured, least) };
};

function report(line: string): void {
  const { turns, flooded, renamed, data } = parseLines(line);
  for (const { round, subject, workload, requests, seconds } of turns)
    console.error(`round ${round + 1}, ${subject}, ${workload}: ${(requests / seconds).toFixed(0)}/s`);
  for (const { service, arrived, under } of flooded)
    console.error(
      `${service}, ${arrived.toFixed(0)} SYNs/s: ${under.broken} broken, ${under.sameBackend} of ${under.returns} returns at their backend`,
    );
  for (const { learned, after } of renamed)
    console.error(
      `new ticket keys, learned in ${learned.toFixed(1)} s: ${after.sameBackend} of ${after.returns} returns at their backend`,
    );
  for (const turn of data)
    console.error(
      `round ${turn.round + 1}, ${turn.subject}, ${nameOf(turn)}: ${(turn.requests / turn.seconds).toFixed(0)}/s`,
    );
}
