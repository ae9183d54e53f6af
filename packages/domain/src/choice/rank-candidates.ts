import type { Candidate, CandidateFacts } from "./candidate.ts";
import type { Choose, Evidence, RankedCandidate } from "./choice.ts";
import { criterionOf } from "./criteria.ts";
import { type RequirementName, requirementNames } from "./requirements.ts";

export type RankInput = Pick<Choose, "requirements" | "currency" | "maxAgeSeconds"> & { now: Date };

/**
 * rankCandidates orders candidates: those that meet everything required first, then by points, which are the weighted mean of
 * what each requirement got, from 0 to 100. Equal points are the same rank, and are listed by name.
 */
export function rankCandidates(candidates: readonly Candidate[], input: RankInput): RankedCandidate[] {
  const judged = candidates.map((each) => judge(each, input));
  judged.sort(
    (a, b) =>
      Number(b.isEligible) - Number(a.isEligible) ||
      b.points - a.points ||
      compare(a.name, b.name) ||
      compare(a.id, b.id),
  );
  const ranked: RankedCandidate[] = [];
  for (const [at, each] of judged.entries()) {
    const before = ranked.at(-1);
    const isEqual = before?.isEligible === each.isEligible && before.points === each.points;
    ranked.push({ ...each, rank: isEqual ? before.rank : at + 1 });
  }
  return ranked;
}

function judge({ facts, ...candidate }: Candidate, input: RankInput): RankedCandidate {
  const asked = requirementNames.filter((name) => input.requirements[name] !== undefined);
  const weights = asked.reduce((sum, name) => sum + (input.requirements[name]?.weight ?? 0), 0);
  const evidence = asked.flatMap((name) => {
    const wanted = input.requirements[name];
    return wanted ? [evidenceOf(name, wanted, facts, weights, input)] : [];
  });
  return {
    ...candidate,
    rank: 0,
    isEligible: evidence.every(({ required, result }) => !required || result === "met"),
    points: evidence.reduce((sum, { points }) => sum + points, 0),
    evidence,
    against: evidence.flatMap(reasonAgainst),
  };
}

function evidenceOf(
  name: RequirementName,
  wanted: { required: boolean; weight: number },
  facts: CandidateFacts,
  weights: number,
  { currency, maxAgeSeconds, now }: RankInput,
): Evidence {
  const { title, unit, ages, factOf, compare, describe } = criterionOf(name);
  const known = factOf(facts);
  const mostPoints = weights > 0 ? (100 * wanted.weight) / weights : 0;
  const { required, weight } = wanted;
  const stated = { requirement: name, title, required, weight, unit, wanted: describe(wanted, currency), mostPoints };
  const none = { ...stated, result: "unknown", value: null, text: "Unknown", points: 0 } as const;
  if ("why" in known) return { ...none, source: known.why, measuredAt: null, ageSeconds: null };
  const { source, at } = known;
  // A clock that is a little ahead doesn't make a figure younger than now.
  const ageSeconds = at === null ? null : Math.max(0, Math.round((now.getTime() - at.getTime()) / 1_000));
  if (ages && (ageSeconds ?? 0) > maxAgeSeconds)
    return { ...none, source: `${source}, last measured over ${maxAgeSeconds} s ago`, measuredAt: at, ageSeconds };
  const { isMet, degree, value, text } = compare(wanted, known.value, currency);
  const result = isMet ? "met" : "unmet";
  return { ...stated, result, value, text, source, measuredAt: at, ageSeconds, points: mostPoints * degree };
}

function reasonAgainst({ title, result, text, wanted, source, required }: Evidence): string[] {
  const need = required ? "required" : "preferred";
  if (result === "unmet") return [`${title}: ${text}; ${need}: ${wanted}.`];
  if (result === "unknown") return [`${title}: unknown; ${need}: ${wanted}. ${source}.`];
  return [];
}

/** Not by locale: the order must be the same everywhere. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
