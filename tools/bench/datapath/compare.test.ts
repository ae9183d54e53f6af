import { describe, expect, it } from "vitest";
import { compare, explain, ratiosWithin } from "./compare.ts";
import type { Loop } from "./loops.ts";
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
const cost = (subject: string, nanoseconds: number, verified = 1000): Cost => ({
  round: 0,
  subject,
  nanoseconds,
  emptyNanoseconds: 70,
  packets: 1000,
  verified,
});

const loop = (subject: string, nanoseconds: number): Loop => ({ subject, nanoseconds, emptyNanoseconds: 40 });
const outIPv4 = loop("tcx nat out IPv4", 295);
const backIPv4 = loop("tcx nat back IPv4", 266);

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
  compare({ turns: of, costs, memories: [], loops: [] }).find(
    (each) => each.subject === subject && each.metric === metric,
  );

describe("figures of data paths", () => {
  it("parses the output, and rejects unknown lines", () => {
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
    expect(() => parseLines('{"tern":{}}')).toThrow(/Unknown line/);
  });

  it("compares only within a round that has both subjects, under the same machine conditions", () => {
    expect(ratiosWithin(turns, "small", "tcx direct", "direct")).toEqual([0.8, 0.8]);
    expect(ratiosWithin(turns, "small", "userspace proxy", "HAProxy tcp")).toEqual([0.75]);
    expect(ratiosWithin(turns, "udp", "tcx direct", "direct")).toEqual([]);
  });

  it("compares the best engine with the bars", () => {
    const { median, bar, holds, n } = find("best engine, tcx direct", "small, kept alive, of direct") ?? {};
    expect({ median, bar, holds, n }).toEqual({ median: 0.8, bar: "median >= 0.75", holds: true, n: 2 });
    expect(find("best engine, tcx direct", "small, kept alive, of nftables DNAT")?.holds).toBe(false);
    expect(find("best engine, tcx direct", "small, kept alive, of HAProxy tcp")?.holds).toBe(true);
    expect(find("best engine, userspace proxy", "small, kept alive, of direct")).toBeUndefined();
  });

  it("reports the base cost of any program at the same hook", () => {
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

  it("compares a program's time net of an empty program in the same turn with its own bar", () => {
    const metric = "program per packet, net of an empty program";
    const costs = [cost("xdp direct", 181), cost("tcx direct", 230), cost("tcx nat", 999)];
    const net = costs.map(({ subject }) => find(subject, metric, turns, costs));
    expect(net.map((each) => [each?.median, each?.bar, each?.holds])).toEqual([
      [111, "median <= 110", false],
      [160, "median <= 160", true],
      [929, null, null],
    ]);
  });

  it("compares translations in a loop, net of an empty program, with their bars", () => {
    const loops = [outIPv4, backIPv4, loop("tcx nat out IPv6", 400)];
    const results = compare({ turns, costs: [], memories: [], loops });
    const of = (subject: string, metric: string) =>
      results.find((each) => each.subject === subject && each.metric === metric);
    const net = loops.map(({ subject }) => of(subject, "program in a loop, net of an empty program"));
    expect(net.map((each) => [each?.median, each?.bar, each?.holds])).toEqual([
      [255, "median <= 255", true],
      [226, "median <= 225", false],
      [360, null, null],
    ]);
    expect(of("tcx nat back IPv4", "program in a loop")?.median).toBe(266);
    expect(find("the loop of tcx nat back IPv4", "times it was measured")?.holds).toBe(false);
  });

  it("limits the instructions that the verifier processes for a program", () => {
    const costs = [cost("xdp direct", 99, 33_250), cost("tcx direct", 99, 151_501), cost("tcx hop", 40, 60)];
    const measured = ["xdp direct", "tcx direct", "tcx hop"].map((subject) =>
      find(subject, "instructions that the verifier processed", turns, costs),
    );
    expect(measured.map((each) => [each?.max, each?.holds])).toEqual([
      [33_250, true],
      [151_501, false],
      [60, null],
    ]);
  });

  it("explains a missed bar by the limit of a plain forwarding hop", () => {
    const hops = [turn("tcx hop", "hop", 0, 780), turn("xdp hop", "hop", 0, 760)];
    const slow = [turn("direct", "direct", 0, 1000), turn("tcx direct", "engine", 0, 740), ...hops];
    const { limit } = find("best engine, tcx direct", "small, kept alive, of direct", slow) ?? {};
    expect(limit).toMatch(/^tcx hop, .* reaches 0.78: /);
    expect(limit).toContain(
      "through direct takes 1800.0 µs of CPU time (client 500.0, backends 600.0, processes of the balancer 0.0; of that, packet processing in the kernel 400.0), and 10 % are idle",
    );
    expect(find("best engine, tcx direct", "small, kept alive, of direct")?.limit).toBeUndefined();
    expect(find("tcx direct", "small, kept alive, of tcx hop", slow)?.median).toBeCloseTo(0.949);
  });

  it("reports processor use for a missed bar, also without a measured hop", () => {
    const short = [
      turn("direct", "direct", 0, 1000, { workload: "new" }),
      turn("tcx direct", "engine", 0, 800, { workload: "new" }),
    ];
    expect(find("best engine, tcx direct", "a connection each, of direct", short)).toMatchObject({
      holds: false,
      limit: expect.stringMatching(/^a request through tcx direct takes 2250.0 µs .*; a request through direct /),
    });
    const slow = [turn("HAProxy tcp", "peer", 0, 500), turn("tcx direct", "engine", 0, 800)];
    expect(find("best engine, tcx direct", "small, kept alive, of HAProxy tcp", slow)).toMatchObject({
      holds: false,
      limit: expect.stringMatching(/through tcx direct .*; a request through HAProxy tcp takes /),
    });
  });

  it("allows an engine at most 0.1 percentage points more lost datagrams than direct", () => {
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

  it("misses its bars if a required subject was not measured", () => {
    const costs = [cost("tcx direct", 99)];
    const absent = (chosen?: string[]) =>
      compare(
        {
          turns: turns.filter((each) => each.subject !== "nftables DNAT"),
          costs,
          memories: [],
          loops: [outIPv4, backIPv4],
        },
        chosen,
      )
        .filter((each) => each.unit === "times" && !each.holds)
        .map((each) => each.subject);
    expect(absent()).toEqual(["xdp direct", "nftables DNAT", "the program of xdp direct"]);
    expect(absent(["tcx direct", "HAProxy tcp"])).toEqual([]);
  });

  it("allows no failure of an engine, and applies no bar to peers", () => {
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

  it("reports bodies in bits, and memory per connection", () => {
    const bulk = turn("nginx http", "peer", 0, 1_000, { workload: "bulk" });
    expect(find("nginx http", "64 KiB bodies, of bodies", [bulk])).toMatchObject({ unit: "Mbit/s", median: 524.288 });
    const memories = [{ subject: "nginx TLS", connections: 4_000, bytes: 146_000_000 }];
    expect(compare({ turns, costs: [], memories, loops: [] }).at(-1)).toMatchObject({
      subject: "nginx TLS",
      metric: "memory for each of 4000 live connections",
      unit: "kB",
      median: 36.5,
    });
  });

  it("reports what was skipped and why", () => {
    const measured = { turns, costs: [], leftOut: [{ subject: "ipvs nat", reason: "this kernel has no IP_VS" }] };
    expect(explain(measured)).toContain("ipvs nat was not measured: this kernel has no IP_VS");
    expect(explain(measured)).toContain("the client is one thread; with direct it used 50 % of a core");
  });
});
