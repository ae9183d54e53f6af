import { count, decimals, money, significant } from "../numbers.ts";
import type { CandidateFacts, Known } from "./candidate.ts";
import type { RequirementName, RequirementOf } from "./requirements.ts";

/** A fact compared with a requirement. */
export type Compared = {
  isMet: boolean;
  /** From 0 to 1: the share of the requirement's points. It never falls when the fact gets better. */
  degree: number;
  /** The fact as a number; null if it isn't one. */
  value: number | null;
  text: string;
};

type Criterion<Name extends RequirementName, Value> = {
  title: string;
  unit: string;
  /** Whether the fact is measured again and again, so that an old one no longer counts. */
  ages: boolean;
  factOf: (facts: CandidateFacts) => Known<Value>;
  compare: (wanted: RequirementOf<Name>, value: Value, currency: string) => Compared;
  /** The limit, to complete "required: …". */
  describe: (wanted: RequirementOf<Name>, currency: string) => string;
};

const yes = (value: boolean): Compared => ({
  isMet: value,
  degree: value ? 1 : 0,
  value: null,
  text: value ? "Yes" : "No",
});

/** With a limit of 0, figures beyond it would all get no points, and the better of two would not win. */
const leastScale = 0.001;

/** A figure at its limit gets half of the points, and more the further it is below. */
function below(limit: number, value: number, text: string): Compared {
  const scale = Math.max(limit, leastScale);
  return { isMet: value <= limit, degree: value <= 0 ? 1 : scale / (scale + value), value, text };
}

function above(limit: number, value: number, text: string): Compared {
  return { isMet: value >= limit, degree: value <= 0 ? 0 : value / (value + limit), value, text };
}

const familyWords = { ipv4: "IPv4", ipv6: "IPv6" } as const;
const ms = (value: number) => `${significant(value, 3)} ms`;
const mbps = (value: number) => `${significant(value, 3)} Mbit/s`;
const percent = (value: number) => `${decimals(value, 3)}%`;
const labelText = (all: Readonly<Record<string, string>>) =>
  Object.entries(all)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(", ");

type ValueOf<Name extends RequirementName> = {
  addressFamily: readonly ("ipv4" | "ipv6")[];
  perInstanceMap: boolean;
  tlsPersistence: boolean;
  latencyMsP99: number;
  headroomMbps: number;
  headroomConnections: number;
  region: string;
  hourlyPrice: number;
  availability: number;
  labels: Readonly<Record<string, string>>;
}[Name];

/** The criteria: how each requirement is compared with the facts. */
export const criteria: { [Name in RequirementName]-?: Criterion<Name, ValueOf<Name>> } = {
  addressFamily: {
    title: "Address family",
    unit: "",
    ages: false,
    factOf: (facts) => facts.addressFamilies,
    compare: ({ family }, families) => ({
      ...yes(families.includes(family)),
      text: families.map((each) => familyWords[each]).join(", ") || "None",
    }),
    describe: ({ family }) => familyWords[family],
  },
  perInstanceMap: {
    title: "Address map per instance",
    unit: "",
    ages: false,
    factOf: (facts) => facts.perInstanceMap,
    compare: (_, value) => yes(value),
    describe: () => "yes",
  },
  tlsPersistence: {
    title: "TLS session persistence",
    unit: "",
    ages: false,
    factOf: (facts) => facts.tlsPersistence,
    compare: (_, value) => yes(value),
    describe: () => "yes",
  },
  latencyMsP99: {
    title: "Latency, p99",
    unit: "ms",
    ages: true,
    factOf: (facts) => facts.latencyMsP99,
    compare: ({ atMost }, value) => below(atMost, value, ms(value)),
    describe: ({ atMost }) => `at most ${ms(atMost)}`,
  },
  headroomMbps: {
    title: "Throughput headroom",
    unit: "Mbit/s",
    ages: true,
    factOf: (facts) => facts.headroomMbps,
    compare: ({ atLeast }, value) => above(atLeast, value, mbps(value)),
    describe: ({ atLeast }) => `at least ${mbps(atLeast)}`,
  },
  headroomConnections: {
    title: "Connection headroom",
    unit: "connections",
    ages: true,
    factOf: (facts) => facts.headroomConnections,
    compare: ({ atLeast }, value) => above(atLeast, value, count(Math.floor(value))),
    describe: ({ atLeast }) => `at least ${count(atLeast)}`,
  },
  region: {
    title: "Region",
    unit: "",
    ages: false,
    factOf: (facts) => facts.region,
    compare: ({ anyOf }, value) => ({ ...yes(anyOf.includes(value)), text: value }),
    describe: ({ anyOf }) => anyOf.join(" or "),
  },
  hourlyPrice: {
    title: "Hourly price",
    unit: "per hour",
    ages: false,
    factOf: (facts) => facts.hourlyMicros,
    compare: ({ atMost }, micros, currency) => ({
      ...below(atMost * 1e6, micros, money(micros, currency, 4)),
      value: micros / 1e6,
    }),
    describe: ({ atMost }, currency) => `at most ${money(atMost * 1e6, currency, 4)}`,
  },
  availability: {
    title: "Availability, 30 days",
    unit: "%",
    ages: false,
    factOf: (facts) => facts.availabilityPercent,
    // By the time in which it didn't serve: 99.99 % is ten times as good as 99.9 %.
    compare: ({ atLeastPercent }, value) => ({
      ...below(100 - atLeastPercent, 100 - value, percent(value)),
      isMet: value >= atLeastPercent,
      value,
    }),
    describe: ({ atLeastPercent }) => `at least ${percent(atLeastPercent)}`,
  },
  labels: {
    title: "Labels",
    unit: "",
    ages: false,
    factOf: (facts) => facts.labels,
    compare: ({ match }, own) => {
      const wanted = Object.entries(match);
      const matched = wanted.filter(([key, value]) => Object.hasOwn(own, key) && own[key] === value).length;
      const degree = matched / wanted.length;
      return { isMet: degree === 1, degree, value: null, text: labelText(own) || "None" };
    },
    describe: ({ match }) => labelText(match),
  },
};

type AnyCriterion = {
  title: string;
  unit: string;
  ages: boolean;
  factOf: (facts: CandidateFacts) => Known<unknown>;
  compare: (wanted: unknown, value: unknown, currency: string) => Compared;
  describe: (wanted: unknown, currency: string) => string;
};

/** criterionOf forgets the types of a requirement and its fact: the entry of a name reads those of that name. */
export function criterionOf(name: RequirementName): AnyCriterion {
  return criteria[name] as unknown as AnyCriterion;
}
