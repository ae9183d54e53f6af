import { describe, expect, it } from "vitest";
import { type Chance, chanceOf } from "../experiment/chance.ts";
import type { Candidate, CandidateFacts, Known } from "./candidate.ts";
import { choose } from "./choice.ts";
import { rankCandidates } from "./rank-candidates.ts";
import { addressFamilies, type Requirements } from "./requirements.ts";

const now = new Date("2026-12-01T12:00:00Z");
const known = <Value>(value: Value, ageSeconds: number | null = 1): Known<Value> => ({
  value,
  source: "Test",
  at: ageSeconds === null ? null : new Date(now.getTime() - ageSeconds * 1_000),
});

const usual: CandidateFacts = {
  addressFamilies: known(["ipv4"], null),
  perInstanceMap: known(true, null),
  tlsPersistence: known(true, null),
  latencyMsP99: known(10),
  headroomMbps: known(500),
  headroomConnections: known(10_000),
  region: known("eu-central-1", null),
  hourlyMicros: known(50_000, null),
  availabilityPercent: known(99.9),
  labels: known({ tier: "gold", site: "a" }, null),
};
const candidate = (id: string, facts: Partial<CandidateFacts> = {}): Candidate => ({
  ...{ id, name: id, clusterId: id, clusterName: id },
  facts: { ...usual, ...facts },
});
const rank = (candidates: Candidate[], requirements: object) => {
  const input = choose.parse({ requirements });
  return rankCandidates(candidates, { ...input, now });
};

describe("evidence", () => {
  it("has value, unit, source and age of every requirement, and reasons against", () => {
    const [only] = rank([candidate("a", { latencyMsP99: known(40, 7) })], {
      latencyMsP99: { atMost: 10, weight: 3 },
      hourlyPrice: { atMost: 0.05 },
    });
    expect(only?.evidence).toEqual([
      {
        ...{ requirement: "latencyMsP99", title: "Latency, p99", required: false, weight: 3, unit: "ms" },
        ...{ wanted: "at most 10 ms", mostPoints: 75, result: "unmet", value: 40, text: "40 ms", source: "Test" },
        ...{ measuredAt: new Date("2026-12-01T11:59:53Z"), ageSeconds: 7, points: 15 },
      },
      {
        ...{ requirement: "hourlyPrice", title: "Hourly price", required: false, weight: 1, unit: "per hour" },
        ...{ wanted: "at most $0.05", mostPoints: 25, result: "met", value: 0.05, text: "$0.05", source: "Test" },
        ...{ measuredAt: null, ageSeconds: null, points: 12.5 },
      },
    ]);
    expect(only?.points).toBe(27.5);
    expect(only?.against).toEqual(["Latency, p99: 40 ms; preferred: at most 10 ms."]);
  });

  it("is unknown, without points, where nothing is known or the figure is too old", () => {
    const never = candidate("never", { latencyMsP99: { value: null, why: "Nothing measures it" } });
    const old = candidate("old", { latencyMsP99: known(1, 301) });
    for (const [each, against] of [
      [never, "Latency, p99: unknown; required: at most 10 ms. Nothing measures it."],
      [old, "Latency, p99: unknown; required: at most 10 ms. Test, last measured over 300 s ago."],
    ] as const) {
      const [only] = rank([each], { latencyMsP99: { atMost: 10, required: true } });
      expect(only).toMatchObject({ isEligible: false, points: 0, evidence: [{ result: "unknown", value: null }] });
      expect(only?.against).toEqual([against]);
    }
    // A setting, or what is calculated over a month, doesn't get too old.
    const [settled] = rank([candidate("a", { availabilityPercent: known(99.9, 3_600) })], {
      availability: { atLeastPercent: 99 },
    });
    expect(settled?.evidence[0]?.result).toBe("met");
  });
});

it("lists candidates that lack something required last, however many points they have", () => {
  const cheap = candidate("cheap", { hourlyMicros: known(0, null), perInstanceMap: known(false, null) });
  const ranked = rank([cheap, candidate("dear")], {
    perInstanceMap: { required: true, weight: 0 },
    hourlyPrice: { atMost: 0.01, weight: 100 },
  });
  expect(ranked.map(({ id, rank, isEligible }) => [id, rank, isEligible])).toEqual([
    ["dear", 1, true],
    ["cheap", 2, false],
  ]);
});

it("gives equal points the same rank, in the order of names", () => {
  const ranked = rank([candidate("c", { region: known("x", null) }), candidate("b"), candidate("a")], {
    region: { anyOf: ["eu-central-1"] },
  });
  expect(ranked.map(({ id, rank }) => [id, rank])).toEqual([
    ["a", 1],
    ["b", 1],
    ["c", 3],
  ]);
});

describe("for any candidates and requirements", () => {
  const runs = 150;
  const each = (seed: number, check: (all: Candidate[], requirements: Requirements, chance: Chance) => void) => {
    const chance = chanceOf(seed);
    for (let run = 0; run < runs; run++) {
      const all = Array.from({ length: 1 + Math.floor(8 * chance()) }, (_, i) => anyCandidate(`c${i}`, chance));
      check(all, anyRequirements(chance), chance);
    }
  };

  it("the order of the input doesn't matter", () => {
    each(1, (all, requirements, chance) => {
      const shuffled = all.map((item) => ({ item, by: chance() })).sort((a, b) => a.by - b.by);
      expect(
        rank(
          shuffled.map(({ item }) => item),
          requirements,
        ),
      ).toEqual(rank(all, requirements));
    });
  });

  it("one that is better in everything never ranks lower", () => {
    each(2, (all, requirements, chance) => {
      const [worse] = all;
      if (!worse) return;
      const better: Candidate = { ...worse, id: "better", name: "z-last-by-name", facts: improve(worse.facts, chance) };
      const ranked = rank([...all, better], requirements);
      const of = (id: string) => ranked.find((candidate) => candidate.id === id);
      expect(of("better")?.rank).toBeLessThanOrEqual(of(worse.id)?.rank ?? 0);
    });
  });

  it("a preferred requirement of weight 0 changes no order", () => {
    each(3, (all, { region: _, ...others }) => {
      if (Object.keys(others).length === 0) return;
      const ordered = (requirements: object) => rank(all, requirements).map(({ id, rank }) => [id, rank]);
      expect(ordered({ ...others, region: { anyOf: ["nowhere"], weight: 0 } })).toEqual(ordered(others));
    });
  });

  it("all weights together can be scaled", () => {
    each(4, (all, requirements) => {
      const halved = Object.fromEntries(
        Object.entries(requirements).map(([name, wanted = { weight: 0 }]) => [
          name,
          { ...wanted, weight: wanted.weight / 2 },
        ]),
      );
      expect(rank(all, halved).map(({ id, rank }) => [id, rank])).toEqual(
        rank(all, requirements).map(({ id, rank }) => [id, rank]),
      );
    });
  });

  it("points are from 0 to 100, and the sum of those of the evidence", () => {
    each(5, (all, requirements) => {
      for (const { points, evidence, against } of rank(all, requirements)) {
        expect(points).toBeGreaterThanOrEqual(0);
        expect(points).toBeLessThanOrEqual(100 + 1e-9);
        expect(evidence.reduce((sum, { points }) => sum + points, 0)).toBe(points);
        expect(against).toHaveLength(evidence.filter(({ result }) => result !== "met").length);
      }
    });
  });
});

function anyCandidate(id: string, chance: Chance): Candidate {
  const maybe = <Value>(value: Value): Known<Value> =>
    chance() < 0.15 ? { value: null, why: "Not measured" } : known(value, Math.floor(chance() * 400));
  const among = <Word>(words: readonly Word[]) => words[Math.floor(chance() * words.length)] as Word;
  return candidate(id, {
    addressFamilies: maybe(addressFamilies.filter(() => chance() < 0.6)),
    perInstanceMap: maybe(chance() < 0.5),
    tlsPersistence: maybe(chance() < 0.5),
    latencyMsP99: maybe(among([0, 1, 1, 10 ** (4 * chance() - 1)])),
    headroomMbps: maybe(10 ** (6 * chance()) - 100),
    headroomConnections: maybe(Math.floor(10 ** (6 * chance())) - 100),
    region: maybe(among(["a", "b", "c"])),
    hourlyMicros: maybe(Math.floor(1e6 * chance() ** 3)),
    availabilityPercent: maybe(among([100, 99.9, 100 * chance()])),
    labels: maybe({ tier: among(["gold", "iron"]), site: among(["a", "b"]) }),
  });
}

function anyRequirements(chance: Chance): Requirements {
  const common = () => ({ required: chance() < 0.3, weight: chance() < 0.2 ? 0 : Math.round(100 * chance()) });
  const all = {
    addressFamily: { family: chance() < 0.5 ? "ipv4" : "ipv6", ...common() },
    perInstanceMap: common(),
    tlsPersistence: common(),
    latencyMsP99: { atMost: 10 ** (3 * chance()), ...common() },
    headroomMbps: { atLeast: 10 ** (5 * chance()), ...common() },
    headroomConnections: { atLeast: Math.ceil(10 ** (5 * chance())), ...common() },
    region: { anyOf: chance() < 0.5 ? ["a"] : ["b", "c"], ...common() },
    hourlyPrice: { atMost: chance() < 0.2 ? 0 : chance(), ...common() },
    availability: { atLeastPercent: chance() < 0.2 ? 100 : 100 * chance(), ...common() },
    labels: { match: chance() < 0.5 ? { tier: "gold" } : { tier: "gold", site: "a" }, ...common() },
  };
  const kept = Object.entries(all).filter(() => chance() < 0.5);
  return choose.parse({
    requirements: Object.fromEntries(kept.length > 0 ? kept : [["latencyMsP99", all.latencyMsP99]]),
  }).requirements;
}

/** improve returns facts that are better in everything: also in what was unknown. */
function improve(facts: CandidateFacts, chance: Chance): CandidateFacts {
  const better = <Value>({ value }: Known<Value>, from: (value: Value) => Value, otherwise: Value): Known<Value> =>
    known(value === null ? otherwise : from(value));
  const less = (value: number) => value * chance();
  const more = (value: number) => Math.abs(value) * (1 + chance()) + 1;
  return {
    addressFamilies: known(addressFamilies),
    perInstanceMap: known(true),
    tlsPersistence: known(true),
    latencyMsP99: better(facts.latencyMsP99, less, 5),
    headroomMbps: better(facts.headroomMbps, more, 5),
    headroomConnections: better(facts.headroomConnections, more, 5),
    region: facts.region.value === null ? facts.region : known(facts.region.value),
    hourlyMicros: better(facts.hourlyMicros, less, 5),
    availabilityPercent: better(facts.availabilityPercent, (value) => value + (100 - value) * chance(), 5),
    labels: known({ tier: "gold", site: "a" }),
  };
}
