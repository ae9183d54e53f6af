"use client";
import type { CostOption } from "@fairlead/domain/cost";
import { ArrowDown } from "lucide-react";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { hourText, monthText } from "./money-text.ts";
import type { Answer } from "./use-answer.ts";
import { figureNames, placeText } from "./words.ts";

/** The recommendation, shown first: the option, its cost, and the reasons. */
export function Advice({ answer }: { answer: Answer }) {
  const advised = advisedIn(answer);
  if (!advised) return <NoAdvice answer={answer} />;
  const { option, reasons } = advised;
  const { band, currency } = option;
  const isSpan = band.lowMicros < band.highMicros;
  return (
    <section
      aria-labelledby="advice"
      className="flex flex-col gap-3 rounded-lg border border-accent/40 bg-accent-soft/50 p-4 md:p-5"
    >
      <h2 id="advice" className="text-lg leading-snug">
        Recommended: <strong className="font-semibold">{option.product}</strong> {atPlace(option)}:{" "}
        <strong className="tabular whitespace-nowrap font-semibold">{monthText(option.monthlyMicros, currency)}</strong>{" "}
        per month.
      </h2>
      <p className="tabular text-muted text-sm">
        {hourText(option.hourlyMicros, currency)} per hour
        {isSpan
          ? `, and from ${hourText(band.lowMicros, currency)} to ${hourText(band.highMicros, currency)} as traffic varies`
          : ""}
        .
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-4 text-sm marker:text-muted">
        {reasons.map((reason) => (
          <li key={reason} className="break-words">
            <Linked text={reason} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shown above the form if the recommendation is below it: its cost and a link. */
export function AdviceLink({ answer }: { answer: Answer }) {
  const option = advisedIn(answer)?.option;
  return (
    <a
      href="#advice"
      className="tabular flex items-center gap-3 rounded-md border border-accent/40 bg-accent-soft/50 px-3 py-2.5 text-sm lg:hidden print:hidden"
    >
      <span className="min-w-0 flex-1 truncate font-medium">{option?.product ?? "No recommendation"}</span>
      {option ? <span>{monthText(option.monthlyMicros, option.currency)} per month</span> : null}
      <ArrowDown className="size-4 text-muted" aria-hidden />
    </a>
  );
}

function NoAdvice({ answer }: { answer: Answer }) {
  const { options } = answer.estimate;
  const [cheapest] = options.filter(({ fits }) => fits);
  return (
    <section aria-labelledby="advice" className="flex flex-col gap-2 rounded-lg border bg-surface p-4 md:p-5">
      <h2 id="advice" className="flex items-center gap-2 text-lg leading-snug">
        <StatusGlyph shape="triangle" className="text-warn" />
        {options.length === 0 ? "No option has a price." : "No recommendation."}
      </h2>
      <p className="text-sm">{cheapest ? whyNotAdvised(cheapest) : whyNothing(answer)}</p>
    </section>
  );
}

function whyNotAdvised(cheapest: CostOption): string {
  const { product, capacity, monthlyMicros, currency } = cheapest;
  const guessed = capacity.find(({ basis }) => basis === "assumed");
  const guess = guessed
    ? ` Its capacity in ${figureNames[guessed.of].name.toLowerCase()} is assumed (${guessed.source})`
    : " Its capacity is unknown";
  return `The cheapest that fits is ${product} ${atPlace(cheapest)}, for ${monthText(monthlyMicros, currency)} per month.${guess}, so it can't be recommended. Test it with your traffic first.`;
}

function whyNothing({ estimate: { options, unpriced } }: Answer): string {
  if (options.length > 0)
    return `None of ${countOf(options.length, "option")} meets all requirements. The reasons are listed with each option. Remove a requirement to see more.`;
  if (unpriced.length > 0) return "No option has a usable price. The reasons are listed below.";
  return "No selected provider offers a load balancer in the selected regions. Select others, or clear the selection to see all.";
}

function atPlace(option: CostOption): string {
  return option.provider === "own" ? "on premises" : `at ${placeText(option)}`;
}

/** advisedIn returns the recommended option. */
export function advisedIn({ estimate }: Answer): { option: CostOption; reasons: string[] } | null {
  const { advice, options } = estimate;
  const option = advice && options.find((each) => each.offerId === advice.offerId && each.region === advice.region);
  return option ? { option, reasons: advice.reasons } : null;
}

const address = /(https?:\/\/[^\s,)]+[^\s,).:;])/;

/** A sentence with links to its sources. */
export function Linked({ text }: { text: string }) {
  const [before = "", url, ...after] = text.split(address);
  if (!url) return before;
  return (
    <>
      {before}
      <a
        href={url}
        className="underline underline-offset-2 hover:text-accent"
        rel="noreferrer noopener"
        target="_blank"
      >
        {hostOf(url)}
      </a>
      <Linked text={after.join("")} />
    </>
  );
}

function hostOf(url: string): string {
  return new URL(url).host.replace(/^www\./, "");
}
