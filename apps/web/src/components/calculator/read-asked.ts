import { type EstimateAsked, estimateAsked } from "@fairlead/domain";
import { type CalculatorParams, numberFields } from "./search-params.ts";

/** What the form asks, or what is wrong with it, by field; neither while nothing is asked yet. */
export type Reading = { asked: EstimateAsked | null; problems: Record<string, string> };

const ratePattern = /^([A-Z]{3}):([\d.]+)@(\d{4}-\d{2}-\d{2})$/;

/** readAsked makes a question of what stands in the URL. Whether it makes sense, its schema says. */
export function readAsked(params: CalculatorParams): Reading {
  const given = numberFields.filter((field) => params[field].trim() !== "");
  if (given.length === 0) return { asked: null, problems: {} };
  const { protocol, tls, exposedAs, providers, regions, constraints, currency } = params;
  const parsed = estimateAsked.safeParse({
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
  if (parsed.success) return { asked: parsed.data, problems: {} };
  const problems: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) problems[fieldOf(path)] ??= asSentence(message);
  return { asked: null, problems };
}

/** What is no number stays one that is none, and the schema says so. */
function numberIn(text: string): number {
  const bare = text.replace(/[\s_]/g, "");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(bare) ? Number(bare) : Number.NaN;
}

/** A field of the profile goes by its own name. */
function fieldOf([first, second]: readonly PropertyKey[]): string {
  return String(first === "profile" ? (second ?? first) : first);
}

function asSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

export function readRate(text: string, to: string): EstimateAsked["rates"][number] | null {
  const [, from, rate, asOf] = ratePattern.exec(text) ?? [];
  const isRate = from && from !== to && Number(rate) > 0 && asOf && !Number.isNaN(Date.parse(asOf));
  return isRate ? { from, to, rate: Number(rate), asOf } : null;
}

export function writeRate(from: string, rate: string, asOf: string): string {
  return `${from}:${rate}@${asOf}`;
}
