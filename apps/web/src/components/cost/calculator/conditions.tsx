"use client";
import type { CostOption } from "@fairlead/domain/cost";
import { memo } from "react";
import { countOf } from "@/components/words/numbers.ts";
import { Disclosure } from "./disclosure.tsx";
import { Linked } from "./linked.tsx";

type ConditionsProps = Pick<CostOption, "conditions">;

/** The conditions of an option, opened from their count. An option without any shows nothing. */
export const Conditions = memo(function Conditions({ conditions }: ConditionsProps) {
  if (conditions.length === 0) return null;
  return (
    <Disclosure title={countOf(conditions.length, "condition")}>
      {() => (
        <ul className="flex flex-col gap-1">
          {conditions.map((condition) => (
            <li key={condition}>
              <Linked text={condition} />
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}, areTheSame);

/** Each keystroke makes new options, and most of them have the conditions of before. */
function areTheSame({ conditions: before }: ConditionsProps, { conditions: after }: ConditionsProps): boolean {
  return before.length === after.length && before.every((condition, i) => condition === after[i]);
}
