import {
  type Constraint,
  constraints,
  exposedAs,
  grades,
  type Provider,
  providerNames,
  type TrafficProfileInput,
  tlsWays,
  trafficProtocols,
} from "@fairlead/domain/cost";
import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";

/** The numeric fields of a profile, by their names in the API. */
export const numberFields = [
  "averageMbps",
  "peakMbps",
  "newConnectionsPerSecond",
  "connectionDurationSeconds",
  "activeConnections",
  "requestsPerSecond",
  "rulesPerRequest",
  "addedMs",
  "listeners",
  "hoursPerMonth",
  "zones",
  "replicas",
  "backendMbps",
  "corePercentPerMbps",
  "backendCores",
  "responseShare",
  "internetShare",
] as const satisfies readonly (keyof TrafficProfileInput)[];
export type NumberField = (typeof numberFields)[number];

export const maxCompared = 4;

export const modes = ["quick", "detailed"] as const;
export type Mode = (typeof modes)[number];

/** The grades to show; misfit is for options that don't fit. */
export const shownGrades = [...grades, "misfit"] as const;
export type ShownGrade = (typeof shownGrades)[number];

// As typed, so that a link shows exactly what its sender saw, errors included.
const typed = parseAsString.withDefault("");
const numbers = Object.fromEntries(numberFields.map((field) => [field, typed])) as Record<NumberField, typeof typed>;

/** The whole state of the calculator. Defaults stay out of the URL. */
export const calculatorParams = {
  ...numbers,
  protocol: parseAsStringLiteral(trafficProtocols).withDefault("tcp"),
  tls: parseAsStringLiteral(tlsWays).withDefault("none"),
  exposedAs: parseAsStringLiteral(exposedAs).withDefault("one"),
  providers: parseAsArrayOf(parseAsStringLiteral(providerNames)).withDefault([]),
  regions: parseAsArrayOf(parseAsString).withDefault([]),
  constraints: parseAsArrayOf(parseAsStringLiteral(constraints)).withDefault([]),
  currency: parseAsString.withDefault("USD"),
  /** Such as EUR:1.08@2026-11-25: the price of one euro in the selected currency, and its date. */
  rates: parseAsArrayOf(parseAsString).withDefault([]),
  /** The date of the prices, so that a link always shows the same amounts. Absent for today's. */
  prices: parseAsString.withDefault(""),
  /** The compared options, as offer@region. */
  compare: parseAsArrayOf(parseAsString).withDefault([]),
  /** If empty, all. */
  grades: parseAsArrayOf(parseAsStringLiteral(shownGrades)).withDefault([]),
  /** If absent, detailed if a field is set that quick doesn't have. */
  mode: parseAsStringLiteral(modes),
  /** Shows every region of an offer, not only the cheapest. */
  everyRegion: parseAsBoolean.withDefault(false),
};
export type CalculatorParams = inferParserType<typeof calculatorParams>;

export const loadCalculatorParams = createLoader(calculatorParams);
const serialize = createSerializer(calculatorParams);

/** The inputs that another page can pass to the calculator. */
export type CalculatorStart = {
  profile: Partial<TrafficProfileInput>;
  providers?: Provider[];
  regions?: string[];
  constraints?: Constraint[];
  compare?: string[];
};

/** calculatorHref links to the calculator with a profile filled in. */
export function calculatorHref(page: "/costs" | "/calculator", start: CalculatorStart): string {
  return serialize(page, paramsOf(start));
}

/** paramsOf encodes the start values for the URL; null for those that are not set. */
export function paramsOf({ profile, ...places }: CalculatorStart) {
  const texts = Object.fromEntries(
    numberFields.map((field) => [field, profile[field] === undefined ? null : String(profile[field])]),
  ) as Record<NumberField, string | null>;
  return {
    ...texts,
    protocol: profile.protocol ?? null,
    tls: profile.tls ?? null,
    exposedAs: profile.exposedAs ?? null,
    providers: places.providers ?? null,
    regions: places.regions ?? null,
    constraints: places.constraints ?? null,
    compare: places.compare ?? null,
    mode: null,
  };
}
