"use client";
import { ArrowDown } from "lucide-react";
import { countOf } from "@/components/words/numbers.ts";
import { type Advised, advisedIn } from "./advised-in.ts";
import { CardHead } from "./card-head.tsx";
import { Conditions } from "./conditions.tsx";
import { Disclosure } from "./disclosure.tsx";
import { GradeBadge } from "./grade-badge.tsx";
import { hourText, monthText } from "./money-text.ts";
import { NoBalancerCard } from "./no-balancer-card.tsx";
import { OptionSources } from "./option-sources.tsx";
import type { SetParams } from "./profile-form.tsx";
import type { Answer } from "./use-answer.ts";
import { placesText, priceText, regionText } from "./words.ts";

/** The recommendation, shown first: no balancer, then the cheapest proven and the cheapest likely option. */
export function Advice({ answer, setParams }: { answer: Answer; setParams: SetParams }) {
  const { proven, likely } = advisedIn(answer);
  return (
    <section id="advice" aria-label="Recommendation" className="grid items-start gap-3 xl:grid-cols-3 md:grid-cols-2">
      <NoBalancerCard weighed={answer.estimate.noBalancer} setParams={setParams} />
      <Card title="Cheapest proven" advised={proven} answer={answer} without={whyNone("proven", answer)} />
      <Card title="Cheapest likely" advised={likely} answer={answer} without={whyNone("likely", answer)} />
    </section>
  );
}

function Card(props: { title: string; advised: Advised | null; answer: Answer; without: string }) {
  const { title, advised, answer } = props;
  return (
    <article aria-label={title} className="flex min-w-0 flex-col gap-2 self-stretch rounded-lg border bg-raised p-4">
      <CardHead title={title} badge={advised ? <GradeBadge grade={advised.option.grade} /> : null} />
      {advised ? (
        <Recommended advised={advised} now={answer.catalogue.now} />
      ) : (
        <p className="text-muted text-sm">{props.without}</p>
      )}
    </article>
  );
}

function Recommended({ advised: { option, ties, regions, reasons }, now }: { advised: Advised; now: Date }) {
  const { band, currency, conditions } = option;
  const isSpan = band.lowMicros < band.highMicros;
  return (
    <>
      <div>
        <p className="font-semibold text-base leading-snug">
          {[option, ...ties].map(({ product }) => product).join(" · ")}
        </p>
        <p className="text-muted text-xs">
          {ties.length > 0 ? `${countOf(ties.length + 1, "option")} at the same cost, ` : ""}
          {placesText(option, regions)}
        </p>
      </div>
      <p className="tabular leading-tight">
        <strong className="whitespace-nowrap font-semibold text-xl">
          {priceText(monthText(option.monthlyMicros, currency), option)}
        </strong>{" "}
        <span className="text-sm">per month</span>
        <span className="block pt-1 text-muted text-xs">
          {priceText(hourText(option.hourlyMicros, currency), option)} per hour
          {isSpan
            ? `, ${hourText(band.lowMicros, currency)} to ${hourText(band.highMicros, currency)} with its traffic`
            : ""}
        </span>
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-4 text-sm marker:text-muted">
        {reasons.map((reason) => (
          <li key={reason} className="break-words">
            {reason}
          </li>
        ))}
      </ul>
      <div className="mt-auto flex flex-wrap gap-x-4 gap-y-1 pt-1">
        <Conditions conditions={conditions} />
        {regions.length > 1 ? (
          <Disclosure title={countOf(regions.length, "region")}>{() => regions.map(regionText).join(", ")}</Disclosure>
        ) : null}
        <Disclosure title="Sources">{() => <OptionSources option={option} now={now} />}</Disclosure>
      </div>
    </>
  );
}

/** Shown above the form if the recommendation is below it: its cost and a link. */
export function AdviceLink({ answer }: { answer: Answer }) {
  const { proven, likely } = advisedIn(answer);
  const option = (proven ?? likely)?.option;
  return (
    <a
      href="#advice"
      className="tabular flex items-center gap-3 rounded-md border border-accent/40 bg-accent-soft/50 px-3 py-2.5 text-sm lg:hidden print:hidden"
    >
      <span className="min-w-0 flex-1 truncate font-medium">{option?.product ?? "No recommendation"}</span>
      {option ? <span>{priceText(monthText(option.monthlyMicros, option.currency), option)} per month</span> : null}
      <ArrowDown className="size-4 text-muted" aria-hidden />
    </a>
  );
}

function whyNone(grade: "proven" | "likely", { estimate: { options, unpriced } }: Answer): string {
  if (options.length === 0)
    return unpriced.length > 0
      ? "No option has a usable price. The reasons are listed below."
      : "No selected provider offers a load balancer in the selected regions. Select others, or clear the selection.";
  if (!options.some(({ fits }) => fits))
    return `None of ${countOf(options.length, "option")} meets all requirements. Remove a requirement to see more.`;
  return grade === "proven"
    ? "No option that fits has a measured or published capacity for all of this traffic. Test one with your traffic first."
    : "No option that fits is documented to scale with traffic.";
}
