import { expect, it } from "vitest";
import { explainData, judgeData } from "./data.ts";
import type { DataTurn } from "./measured.ts";

const subjects = ["tcx by session", "tcx direct, data in Redis", "HAProxy TLS with cookies", "nginx TLS with cookies"];

/** turns has the same rate for every size, but for those given. */
function turns(rates: Record<string, Record<number, number>>): DataTurn[] {
  return subjects.flatMap((subject) =>
    (["1.3", "1.2"] as const).flatMap((tls) =>
      [1 << 10, 1 << 20, 4 << 20].map((bytes) => ({
        ...{ round: 0, subject, tls, bytes, requests: rates[subject]?.[bytes] ?? 1_000, failed: 0, seconds: 1 },
        ...{ p50Microseconds: 1, p99Microseconds: 2, clientCpuSeconds: 0, balancerCpuSeconds: 0, backendCpuSeconds: 0 },
        ...{ softirqCpuSeconds: 0, idleCpuSeconds: 0, processorSeconds: 1 },
      })),
    ),
  );
}
const missed = (all: DataTurn[], rounds = 1) =>
  judgeData(all, rounds)
    .filter((row) => row.holds === false)
    .map((row) => `${row.subject}: ${row.metric}`);

it("holds the bars if the rate of ours doesn't depend on the size", () => {
  const all = turns({ "tcx direct, data in Redis": { [1 << 20]: 300, [4 << 20]: 80 } });
  expect(missed(all)).toEqual([]);
  const flat = judgeData(all, 1).filter((row) => row.metric === "TLS 1.2, sessions of 4 MiB, of 1 KiB");
  expect(flat.map((row) => row.median)).toEqual([1, 0.08, 1, 1]);
  const point = judgeData(all, 1).find(
    (row) => row.subject === subjects[1] && row.metric === "TLS 1.3, sessions of 1 MiB",
  );
  expect(point).toMatchObject({ unit: "requests/s", median: 300 });
});

it("misses them if it does, and if a shared store is as fast", () => {
  expect(missed(turns({ "tcx by session": { [4 << 20]: 890 } }))).toEqual([
    "tcx by session: TLS 1.3, sessions of 4 MiB, of 1 KiB",
    "tcx by session: TLS 1.3, sessions of 4 MiB, of tcx direct, data in Redis",
    "tcx by session: TLS 1.2, sessions of 4 MiB, of 1 KiB",
    "tcx by session: TLS 1.2, sessions of 4 MiB, of tcx direct, data in Redis",
  ]);
});

it("misses one for a return to a server without the data, and for a failed request", () => {
  const [first, ...others] = turns({});
  if (!first) throw new Error("No turns.");
  expect(missed([{ ...first, lostData: 1 }, ...others])).toEqual([
    "tcx by session, sessions: returns to a server without the session's data",
  ]);
  expect(missed([{ ...first, failed: 1 }, ...others])).toEqual([
    "tcx by session, sessions: requests that failed in a turn",
  ]);
  expect(explainData([{ ...first, failed: 1, because: "reset" }])).toEqual([
    "tcx by session, TLS 1.3, sessions of 1 KiB, round 1: 1 failed: reset",
  ]);
});

it("requires every subject in each round", () => {
  expect(missed(turns({}), 2)).toHaveLength(4);
  expect(judgeData([], 0)).toEqual([]);
});
