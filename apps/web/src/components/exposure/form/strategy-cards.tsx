"use client";
import { findStrategyLack, reachedBy, type StrategyType, strategies, strategyTypes } from "@fairlead/domain/exposure";
import { Ban } from "lucide-react";
import { useId } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { Radio } from "@/components/ui/form/radio.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

/**
 * The strategies, each with its use case, or the reason why the cluster can't have it. A radio group, so the arrow keys select
 * and skip disabled ones.
 */
export function StrategyCards({ form }: { form: ExposureForm }) {
  const name = useId();
  const error = form.error("strategy.type");
  const reached = form.cluster ? reachedBy(form.cluster) : null;
  return (
    <fieldset>
      <legend className="sr-only">Strategy</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {strategyTypes.map((type) => (
          <StrategyCard
            key={type}
            type={type}
            group={name}
            isChosen={form.draft.strategy === type}
            lack={findStrategyLack(reached, type)?.message ?? null}
            onChoose={() => form.change({ strategy: type })}
          />
        ))}
      </div>
      {error ? (
        <p role="alert" className="mt-2 text-bad text-xs">
          {error} Choose another strategy.
        </p>
      ) : null}
    </fieldset>
  );
}

type CardProps = { type: StrategyType; group: string; isChosen: boolean; lack: string | null; onChoose: () => void };

function StrategyCard({ type, group, isChosen, lack, onChoose }: CardProps) {
  const id = useId();
  const { title, when } = strategies[type];
  return (
    <label
      className={classNames(
        "flex cursor-pointer items-start gap-2.5 rounded-md border bg-raised p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent",
        isChosen ? "border-accent bg-accent-soft/50" : "hover:bg-hover",
        lack ? "cursor-not-allowed border-dashed bg-transparent hover:bg-transparent" : "",
      )}
    >
      <Radio
        name={group}
        value={type}
        checked={isChosen}
        disabled={lack !== null}
        onChange={onChoose}
        className="mt-0.5 shrink-0"
        aria-labelledby={`${id}-title`}
        aria-describedby={lack ? `${id}-when ${id}-lack` : `${id}-when`}
      />
      <span className="text-sm">
        <span id={`${id}-title`} className={classNames("font-medium", lack ? "text-muted" : "")}>
          {title}
        </span>
        <span id={`${id}-when`} className="mt-0.5 block text-muted">
          {when}
        </span>
        {lack ? (
          <span id={`${id}-lack`} className="mt-1.5 flex items-start gap-1.5">
            <Ban className="mt-0.5 size-3.5 shrink-0 text-muted" aria-hidden />
            {lack}
          </span>
        ) : null}
      </span>
    </label>
  );
}
