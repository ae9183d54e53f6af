import { describe, expect, it } from "vitest";
import { compare, explain, ratiosWithin } from "./compare.ts";
import { type Cost, parseLines, type Turn } from "./measured.ts";

const turn = (subject: string, kind: Turn["kind"], round: number, rate: number, fields: Partial<Turn> = {}): Turn => ({
  round,
  subject,
  kind,
  workload: "small",
  requests: rate * 2,
  failed: 0,
  lost: 0,
  late: 0,
  seconds: 2,
  p99Microseconds: 900,
  clientCpuSeconds: 1,
  balancerCpuSeconds: 0,
  backendCpuSeconds: 1.2,
  softirqCpuSeconds: 0.8,
  idleCpuSeconds: 0.4,
  processorSeconds: 4,
  ...fields,
});
const cost = (subject: string, nanoseconds: number): Cost => ({ round: 0, subject, nanoseconds, packets: 1000 });

// The machine is half as fast in the second round.
const turns = [
  turn("direct", "direct", 0, 1000),
  turn("tcx direct", "engine", 0, 800),
  turn("userspace proxy", "engine", 0, 300),
  turn("nftables DNAT", "peer", 0, 600),
  turn("HAProxy tcp", "peer", 0, 400),
  turn("direct", "direct", 1, 500),
  turn("tcx direct", "engine", 1, 400),
  turn("nftables DNAT", "peer", 1, 350),
  turn("HAProxy tcp", "peer", 1, 200),
];
const find = (subject: string, metric: string, of = turns, costs: Cost[] = []) =>
  compare({ turns: of, costs, memories: [] }).find((each) => each.subject === subject && each.metric === metric);

describe("figures of data paths", () => {
  it("reads what was printed, and refuses what it doesn't know", () => {
    const lines = [
      { turn: turns[0] },
      { cost: cost("xdp direct", 99) },
      { memory: { subject: "HAProxy tcp", connections: 10, bytes: 4_000 } },
      { leftOut: { subject: "ipvs nat", reason: "No." } },
    ];
    expect(parseLines(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`)).toEqual({
      turns: [turns[0]],
      loaded: [],
      costs: [cost("xdp direct", 99)],
      memories: [{ subject: "HAProxy tcp", connections: 10, bytes: 4_000 }],
      applied: [],
      leftOut: [{ subject: "ipvs nat", reason: "No." }],
    });
    expect(() => parseLines('{"tern":{}}')).toThrow(/nothing that is known/);
  });

  it("compares within a round, where the machine was the same, and only rounds that have both", () => {
    expect(ratiosWithin(turns, "small", "tcx direct", "direct")).toEqual([0.8, 0.8]);
    expect(ratiosWithin(turns, "small", "userspace proxy", "HAProxy tcp")).toEqual([0.75]);
    expect(ratiosWithin(turns, "udp", "tcx direct", "direct")).toEqual([]);
  });

  it("holds the best engine against the bars", () => {
    const { median, bar, holds, n } = find("best engine, tcx direct", "small, kept alive, of direct") ?? {};
    expect({ median, bar, holds, n }).toEqual({ median: 0.8, bar: "median >= 0.75", holds: true, n: 2 });
    expect(find("best engine, tcx direct", "small, kept alive, of nftables DNAT")?.holds).toBe(false);
    expect(find("best engine, tcx direct", "small, kept alive, of HAProxy tcp")?.holds).toBe(true);
    expect(find("best engine, userspace proxy", "small, kept alive, of direct")).toBeUndefined();
  });

  it("says what of a program's cost is that of any program there", () => {
    const limitOf = (...costs: Cost[]) => find("tcx direct", "program per packet", turns, costs)?.limit;
    expect(limitOf(cost("tcx direct", 250), cost("tcx hop", 100), cost("xdp hop", 40))).toMatch(
      /^tcx hop, .* takes 100 ns of the 250 of tcx direct; the other 150 /,
    );
    expect(limitOf(cost("tcx direct", 250), cost("xdp hop", 40))).toMatch(/^tcx hop was not measured/);
    expect(limitOf(cost("tcx direct", 150), cost("tcx hop", 100))).toBeUndefined();
  });

  it("misses a bar that is missed", () => {
    const slow = [turn("direct", "direct", 0, 1000), turn("tcx direct", "engine", 0, 740)];
    expect(find("best engine, tcx direct", "small, kept alive, of direct", slow)?.holds).toBe(false);
    const costs = [cost("xdp direct", 121), cost("tcx direct", 150), cost("tcx nat", 999)];
    const holds = ["xdp direct", "tcx direct", "tcx nat"].map(
      (subject) => find(subject, "program per packet", turns, costs)?.holds,
    );
    expect(holds).toEqual([false, true, null]);
  });

  it("says what limits a bar that is missed: what no balancer can pass", () => {
    const hops = [turn("tcx hop", "hop", 0, 780), turn("xdp hop", "hop", 0, 760)];
    const slow = [turn("direct", "direct", 0, 1000), turn("tcx direct", "engine", 0, 740), ...hops];
    const { limit } = find("best engine, tcx direct", "small, kept alive, of direct", slow) ?? {};
    expect(limit).toMatch(/^tcx hop, .* reaches 0.78: /);
    expect(limit).toContain(
      "by way of direct takes 1800.0 µs of the processors (client 500.0, backends 600.0, processes of the balancer 0.0; of all that, packets on their way through the kernel 400.0), and 10 % are idle",
    );
    expect(find("best engine, tcx direct", "small, kept alive, of direct")?.limit).toBeUndefined();
    expect(find("tcx direct", "small, kept alive, of tcx hop", slow)?.median).toBeCloseTo(0.949);
  });

  it("says who had the processors when a bar is missed, also where nobody measured a hop", () => {
    const short = [
      turn("direct", "direct", 0, 1000, { workload: "new" }),
      turn("tcx direct", "engine", 0, 800, { workload: "new" }),
    ];
    expect(find("best engine, tcx direct", "a connection each, of direct", short)).toMatchObject({
      holds: false,
      limit: expect.stringMatching(/^a request by way of tcx direct takes 2250.0 µs .*; a request by way of direct /),
    });
    const slow = [turn("HAProxy tcp", "peer", 0, 500), turn("tcx direct", "engine", 0, 800)];
    expect(find("best engine, tcx direct", "small, kept alive, of HAProxy tcp", slow)).toMatchObject({
      holds: false,
      limit: expect.stringMatching(/by way of tcx direct .*; a request by way of HAProxy tcp takes /),
    });
  });

  it("lets an engine lose no more datagrams than direct does, and a thousandth", () => {
    const udp = (subject: string, kind: Turn["kind"], lost: number) =>
      [0, 1].map((round) =>
        turn(subject, kind, round, (10_000 - lost) / 2, { workload: "udp", lost: round * 2 * lost }),
      );
    const measured = [
      ...udp("direct", "direct", 5),
      ...udp("tcx direct", "engine", 14),
      ...udp("tcx nat", "engine", 17),
      ...udp("nginx stream", "peer", 90),
    ];
    const metric = "UDP, lost more than by direct";
    const judged = ["tcx direct", "tcx nat", "nginx stream"].map((subject) => find(subject, metric, measured));
    expect(judged.map((each) => each?.holds)).toEqual([true, false, null]);
    expect(judged[0]?.bar).toBe("max <= 0.1");
    expect(find("direct", "UDP, lost", measured)?.median).toBeCloseTo(0.05);
    expect(judged[1]?.median).toBeCloseTo(0.12);
  });

  it("misses its bars when somebody whom they are about was left out", () => {
    const costs = [cost("tcx direct", 99)];
    const absent = (chosen?: string[]) =>
      compare({ turns: turns.filter((each) => each.subject !== "nftables DNAT"), costs, memories: [] }, chosen)
        .filter((each) => each.unit === "times" && !each.holds)
        .map((each) => each.subject);
    expect(absent()).toEqual(["xdp direct", "nftables DNAT", "the program of xdp direct"]);
    expect(absent(["tcx direct", "HAProxy tcp"])).toEqual([]);
  });

  it("forgives an engine no failure, and judges no peer", () => {
    const failing = [
      turn("tcx direct", "engine", 0, 1, { failed: 1 }),
      turn("HAProxy tcp", "peer", 0, 1, { failed: 9 }),
    ];
    const metric = "answers wrong, broken off or refused";
    expect([find("tcx direct", metric, failing)?.holds, find("HAProxy tcp", metric, failing)?.holds]).toEqual([
      false,
      null,
    ]);
  });

  it("tells bodies in bits, and memory for each connection", () => {
    const bulk = turn("nginx http", "peer", 0, 1_000, { workload: "bulk" });
    expect(find("nginx http", "64 KiB bodies, of bodies", [bulk])).toMatchObject({ unit: "Mbit/s", median: 524.288 });
    const memories = [{ subject: "nginx TLS", connections: 4_000, bytes: 146_000_000 }];
    expect(compare({ turns, costs: [], memories }).at(-1)).toMatchObject({
      subject: "nginx TLS",
      metric: "memory for each of 4000 live connections",
      unit: "kB",
      median: 36.5,
    });
  });

  it("says what was left out and why", () => {
    const measured = { turns, costs: [], leftOut: [{ subject: "ipvs nat", reason: "this kernel has no IP_VS" }] };
    expect(explain(measured)).toContain("ipvs nat wasn't measured: this kernel has no IP_VS");
    expect(explain(measured)).toContain("the client is one thread; with direct it used 50 % of a core");
  });
});
