import { type EstimateRequest, estimateRequest } from "@fairlead/domain/cost";
import { type CalculatorParams, numberFields } from "./search-params.ts";

/** The query of the form, or its errors by field; neither while the form is empty. */
export type Reading = { request: EstimateRequest | null; problems: Record<string, string> };

const ratePattern = /^([A-Z]{3}):([\d.]+)@(\d{4}-\d{2}-\d{2})$/;

/** readQuery builds the query from the URL. The schema validates it. */
export function readQuery(params: CalculatorParams): Reading {
  const given = numberFields.filter((field) => params[field].trim() !== "");
  if (given.length === 0) return { request: null, problems: {} };
  const { protocol, tls, exposedAs, providers, regions, constraints, currency } = params;
  const parsed = estimateRequest.safeParse({
    profile: {
      ...Object.fromEntries(given.map((field) => [field, numberIn(params[field])])),
      protocol,
      tls,
      exposedAs,
    },
    providers,
    regions,
    constraints,
    currency,
    rates: params.rates.flatMap((text) => readRate(text, currency) ?? []),
  });
  if (parsed.success) return { request: parsed.data, problems: {} };
  const problems: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) problems[fieldOf(path)] ??= asSentence(message);
  return { request: null, problems };
}

/** An invalid number becomes NaN, and fails the schema. */
function numberIn(text: string): number {
  const bare = text.replace(/[\s_]/g, "");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(bare) ? Number(bare) : Number.NaN;
}

/** A field of the profile has the same name in the API. */
function fieldOf([first, second]: readonly PropertyKey[]): string {
  return String(first === "profile" ? (second ?? first) : first);
}

function asSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

export function readRate(text: string, to: string): EstimateRequest["rates"][number] | null {
  const [, from, rate, asOf] = ratePattern.exec(text) ?? [];
  const isRate = from && from !== to && Number(rate) > 0 && asOf && !Number.isNaN(Date.parse(asOf));
  return isRate ? { from, to, rate: Number(rate), asOf } : null;
}

export function writeRate(from: string, rate: string, asOf: string): string {
  return `${from}:${rate}@${asOf}`;
}
