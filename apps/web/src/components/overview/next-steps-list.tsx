"use client";
import { Check } from "lucide-react";
import { useState } from "react";
import { useSession } from "@/components/frame/session.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { Section } from "@/components/ui/layout/section.tsx";
import { Link } from "../ui/action/link.tsx";
import type { NextStep } from "./next-steps.ts";

const hiddenKey = "fairlead.next-steps-hidden";

/** The next steps that the user is allowed to take. Hidden once they are done or dismissed. */
export function NextStepsList({ steps }: { steps: NextStep[] }) {
  const { permissions } = useSession();
  const [hidden, setHidden] = useState(() => typeof window !== "undefined" && localStorage.getItem(hiddenKey) === "1");
  const mine = steps.filter((step) => permissions.includes(step.permission));
  const next = mine.find((step) => !step.done);
  if (!next || hidden) return null;
  function hide(): void {
    localStorage.setItem(hiddenKey, "1");
    setHidden(true);
  }
  return (
    <Section
      title="Next steps"
      hint={`${mine.filter((step) => step.done).length} of ${mine.length} done`}
      actions={
        <Button size="sm" variant="quiet" onClick={hide}>
          Hide
        </Button>
      }
    >
      <ol className="grid gap-x-8 gap-y-3 md:grid-cols-2 xl:grid-cols-4">
        {mine.map((step, i) => (
          <li key={step.title} className="flex gap-3">
            <span
              className={classNames(
                "tabular mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full border text-xs",
                step.done && "border-transparent bg-good-soft text-good",
                step === next && "border-accent text-accent",
              )}
            >
              {step.done ? <Check className="size-3.5" aria-label="Done" /> : i + 1}
            </span>
            <div className="min-w-0 text-sm">
              <p className={step.done ? "text-muted" : "font-medium"}>{step.title}</p>
              {step.done ? null : <p className="text-muted">{step.why}</p>}
              {step.done ? null : (
                <Button asChild size="sm" variant={step === next ? "primary" : "secondary"} className="mt-2">
                  <Link href={step.href}>{step.action}</Link>
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
