import {
  type Constraint,
  constraints,
  exposedAs,
  type Provider,
  providers,
  type TrafficProfileInput,
  tlsWays,
  trafficProtocols,
} from "@fairlead/domain";
import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";

/** The fields of a profile that are numbers, by their names in the API. */
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
  "responseShare",
  "internetShare",
] as const satisfies readonly (keyof TrafficProfileInput)[];
export type NumberField = (typeof numberFields)[number];

export const mostCompared = 4;

// As typed, so that a link shows what its sender saw, mistakes included.
const typed = parseAsString.withDefault("");
const numbers = Object.fromEntries(numberFields.map((field) => [field, typed])) as Record<NumberField, typeof typed>;

/** Everything that the calculator shows follows from these. What is left as it was stays out of the URL. */
export const calculatorParams = {
  ...numbers,
  protocol: parseAsStringLiteral(trafficProtocols).withDefault("tcp"),
  tls: parseAsStringLiteral(tlsWays).withDefault("none"),
  exposedAs: parseAsStringLiteral(exposedAs).withDefault("one"),
  providers: parseAsArrayOf(parseAsStringLiteral(providers)).withDefault([]),
  regions: parseAsArrayOf(parseAsString).withDefault([]),
  constraints: parseAsArrayOf(parseAsStringLiteral(constraints)).withDefault([]),
  currency: parseAsString.withDefault("USD"),
  /** Such as EUR:1.08@2026-11-25: what one euro is, in the currency shown, on which day. */
  rates: parseAsArrayOf(parseAsString).withDefault([]),
  /** The moment that the prices are of, so that a link shows the same cents later; today's when left out. */
  prices: parseAsString.withDefault(""),
  /** Options side by side, as offer@region. */
  compare: parseAsArrayOf(parseAsString).withDefault([]),
  /** Every region of an offer, and not only its cheapest. */
  everyRegion: parseAsBoolean.withDefault(false),
};
export type CalculatorParams = inferParserType<typeof calculatorParams>;

export const loadCalculatorParams = createLoader(calculatorParams);
const serialize = createSerializer(calculatorParams);

/** What a page that knows a traffic may hand to the calculator. */
export type CalculatorStart = {
  profile: Partial<TrafficProfileInput>;
  providers?: Provider[];
  regions?: string[];
  constraints?: Constraint[];
  compare?: string[];
};

/** calculatorHref leads to the calculator with a profile filled in. */
export function calculatorHref(page: "/costs" | "/calculator", start: CalculatorStart): string {
  return serialize(page, paramsOf(start));
}

/** paramsOf writes a start as the URL holds it; null is what it leaves open. */
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
  };
}
