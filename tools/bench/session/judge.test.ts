import { expect, it } from "vitest";
import { lacking } from "../result.ts";
import { explain, judge } from "./judge.ts";
import { caseOf, nothing, parseLines, type Returned, type Turn } from "./measured.ts";

const turn = (subject: string, workload: Turn["workload"], requests: number, busy: number): Turn => ({
  ...{ round: 0, subject, workload, requests, failed: 0, seconds: 1, p50Microseconds: 1, p99Microseconds: 2 },
  ...{ clientCpuSeconds: 0.5, balancerCpuSeconds: 0, backendCpuSeconds: 0.5, softirqCpuSeconds: 0.1 },
  ...{ idleCpuSeconds: 0, processorSeconds: busy },
  ...(workload === "small" ? {} : { returns: 90, resumed: 90, sameBackend: 90 }),
});
const home: Returned = {
  ...{ resumption: "1.3", family: 4, timestamps: true, helloPackets: 1, change: "none" },
  ...{ connections: 120, requests: 360, broken: 0, returns: 100, resumed: 100, sameBackend: 100 },
  ...{ gone: 0, goneResumed: 0, between: 0, unoffered: 0, seconds: 1 },
};
const subjects = [
  "direct",
  "tcx by session",
  "tcx direct",
  "HAProxy tcp",
  "HAProxy TLS with cookies",
  "nginx TLS with cookies",
];
const least = { rounds: 1, returns: 100, cases: 1, flood: 0, names: 0, dataRounds: 0 };

/** each returns turns of all subjects. Of a second of CPU time, a request takes more the lower the rate is. */
function each(rates: Record<string, number>): Turn[] {
  return subjects.flatMap((subject) =>
    (["small", "return", "large-hello", "sequence"] as const).map((workload) =>
      turn(subject, workload, rates[subject] ?? 500, 1),
    ),
  );
}

const held = (results: ReturnType<typeof judge>, subject: string, metric: string) =>
  results.find((row) => row.subject === subject && row.metric === metric)?.holds;

it("holds all bars of a fast service that loses no session", () => {
  const turns = each({ direct: 1_000, "tcx by session": 960, "tcx direct": 970 });
  const costs = [
    { round: 0, subject: "tcx direct", nanoseconds: 100, emptyNanoseconds: 10, packets: 1, verified: 1 },
    { round: 0, subject: "tcx by session", nanoseconds: 105, emptyNanoseconds: 10, packets: 1, verified: 1 },
  ];
  const results = judge({ ...nothing(), turns, costs, returned: [home] }, least);
  expect(results.filter((row) => row.holds === false)).toEqual([]);
  expect(
    results.filter((row) => row.bar !== null && row.subject === "tcx by session").map((row) => row.metric),
  ).toEqual(
    expect.arrayContaining([
      "small, kept alive, of HAProxy tcp",
      "small, kept alive, of direct",
      "resumed connections, of HAProxy tcp",
      "one client in sequence, of direct",
      "CPU time added to a small request, of HAProxy tcp",
      "CPU time added to a small request, of nginx TLS with cookies",
      "program per packet after the hello, of tcx direct",
    ]),
  );
});

it("reports each missed bar, with where the CPU time goes", () => {
  const results = judge(
    { ...nothing(), turns: each({ direct: 1_000, "tcx by session": 600 }), returned: [home] },
    least,
  );
  expect(held(results, "tcx by session", "small, kept alive, of HAProxy tcp")).toBe(false);
  expect(held(results, "tcx by session", "small, kept alive, of direct")).toBe(false);
  expect(held(results, "tcx by session", "CPU time added to a small request, of HAProxy tcp")).toBe(false);
  expect(results.find((row) => row.metric === "small, kept alive, of direct" && row.holds === false)?.limit).toMatch(
    /a request through tcx by session takes/,
  );
});

it("misses a bar for one broken connection, and for one return to another backend", () => {
  const name = caseOf(home);
  const broken = { ...home, broken: 1, failures: { "reply: reset": 1 }, firstFailure: "reply: reset by peer" };
  const elsewhere = { ...home, sameBackend: 99 };
  for (const [one, metric] of [
    [broken, "requests broken"],
    [elsewhere, "returns that didn't resume at their backend, which accepts sessions"],
  ] as const) {
    const measured = { ...nothing(), turns: each({}), returned: [one] };
    expect(held(judge(measured, least), name, metric)).toBe(false);
    expect(lacking(judge(measured, least))).toEqual([`${name}, ${metric}: 1, and not max == 0`]);
    expect(explain(measured, least).some((line) => line.startsWith(name))).toBe(true);
  }
});

it("fails also a smoke run for a failed request or a lost return of ours, but not of others", () => {
  const wrong = (subject: string, fault: Partial<Turn>) =>
    lacking(
      judge(
        {
          ...nothing(),
          turns: each({}).map((one) =>
            one.subject === subject && one.workload === "return" ? { ...one, ...fault } : one,
          ),
          returned: [home],
        },
        least,
      ),
    );
  expect(wrong("tcx by session", { failed: 1 })).toEqual([
    "tcx by session, requests that failed in a turn: 1, and not max == 0",
  ]);
  expect(wrong("tcx by session", { sameBackend: 89 })).toEqual([
    "tcx by session, returns that didn't resume at their backend: 1, and not max == 0",
  ]);
  expect(wrong("HAProxy tcp", { failed: 1, sameBackend: 0 })).toEqual([]);
});

it("misses the bar of CPU time if other programs ran in most rounds", () => {
  const turns = each({ direct: 400, "tcx by session": 600 });
  const results = judge({ ...nothing(), turns, returned: [home] }, least);
  expect(held(results, "tcx by session", "rounds with CPU time to compare with HAProxy tcp")).toBe(false);
});

it("misses a bar if the client was the limit", () => {
  const turns = each({ direct: 1_000 }).map((turn) =>
    turn.subject === "tcx by session" ? { ...turn, idleCpuSeconds: 0.2 } : turn,
  );
  const results = judge({ ...nothing(), turns, returned: [home] }, least);
  const metric = "small, kept alive, processors idle";
  expect(held(results, "direct", metric)).toBe(true);
  expect(held(results, "tcx by session", metric)).toBe(false);
  expect(held(results, "tcx direct", metric)).toBeNull();
});

it("requires every case with enough returns, and every subject in each round", () => {
  const results = judge(
    { ...nothing(), turns: each({}), returned: [{ ...home, returns: 99 }] },
    { ...least, rounds: 2 },
  );
  expect(held(results, "clients return", "cases with 100 returns")).toBe(false);
  expect(held(results, "HAProxy tcp", "times it was measured")).toBe(false);
});

it("requires tickets of a removed backend to resume elsewhere, but not ids", () => {
  const gone = { ...home, change: "backends", gone: 10, goneResumed: 9 } as const;
  const metric = "returns of a removed backend that didn't resume";
  const judged = (returned: Returned) => judge({ ...nothing(), returned: [returned] }, { ...least, rounds: 0 }, []);
  expect(held(judged(gone), "clients return", metric)).toBe(false);
  expect(held(judged({ ...gone, resumption: "1.2-id" }), "clients return", metric)).toBeUndefined();
});

it("rejects lines that it doesn't know", () => {
  expect(parseLines(`${JSON.stringify({ returned: home })}\n`).returned).toEqual([home]);
  expect(() => parseLines('{"other":1}')).toThrow(/Unknown line/);
});
