"use client";
import type { CostOption } from "@fairlead/domain";
import { ArrowDown } from "lucide-react";
import { StatusGlyph } from "@/components/ui/status-badge.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { hourText, monthText } from "./money-text.ts";
import type { Answer } from "./use-answer.ts";
import { figureNames, placeText } from "./words.ts";

/** The advice, first of all: what to take, what it costs, and why. */
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
        Take <strong className="font-semibold">{option.product}</strong> {atPlace(option)}:{" "}
        <strong className="tabular whitespace-nowrap font-semibold">{monthText(option.monthlyMicros, currency)}</strong>{" "}
        a month.
      </h2>
      <p className="tabular text-muted text-sm">
        {hourText(option.hourlyMicros, currency)} an hour
        {isSpan
          ? `, and from ${hourText(band.lowMicros, currency)} to ${hourText(band.highMicros, currency)} by how traffic swells and ebbs`
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

/** Above the form where the advice is below it: what it comes to, and the way there. */
export function AdviceLink({ answer }: { answer: Answer }) {
  const option = advisedIn(answer)?.option;
  return (
    <a
      href="#advice"
      className="tabular flex items-center gap-3 rounded-md border border-accent/40 bg-accent-soft/50 px-3 py-2.5 text-sm lg:hidden print:hidden"
    >
      <span className="min-w-0 flex-1 truncate font-medium">{option?.product ?? "Nothing can be advised"}</span>
      {option ? <span>{monthText(option.monthlyMicros, option.currency)} a month</span> : null}
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
        {options.length === 0 ? "Nothing can be priced for this." : "Nothing can be advised for this."}
      </h2>
      <p className="text-sm">{cheapest ? whyNotAdvised(cheapest) : whyNothing(answer)}</p>
    </section>
  );
}

function whyNotAdvised(cheapest: CostOption): string {
  const { product, capacity, monthlyMicros, currency } = cheapest;
  const guessed = capacity.find(({ basis }) => basis === "assumed");
  const guess = guessed
    ? ` How much it carries of ${figureNames[guessed.of].name.toLowerCase()} is assumed (${guessed.source})`
    : " Nobody says how much it carries";
  return `The cheapest that fits is ${product} ${atPlace(cheapest)}, for ${monthText(monthlyMicros, currency)} a month.${guess}, and a guess is no advice. Try it with your traffic first.`;
}

function whyNothing({ estimate: { options, unpriced } }: Answer): string {
  if (options.length > 0)
    return `None of ${countOf(options.length, "option")} has all that is asked for. Why not stands beside each of them; take away what it need not have.`;
  if (unpriced.length > 0) return "What there is has no price that may be used; the reasons are below.";
  return "No provider that was chosen sells one here. Choose other providers or regions, or none to see them all.";
}

function atPlace(option: CostOption): string {
  return option.provider === "own" ? "on premises" : `at ${placeText(option)}`;
}

/** advisedIn finds the option that the advice names. */
export function advisedIn({ estimate }: Answer): { option: CostOption; reasons: string[] } | null {
  const { advice, options } = estimate;
  const option = advice && options.find((each) => each.offerId === advice.offerId && each.region === advice.region);
  return option ? { option, reasons: advice.reasons } : null;
}

const address = /(https?:\/\/[^\s,)]+[^\s,).:;])/;

/** A sentence with its sources one click away. */
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
