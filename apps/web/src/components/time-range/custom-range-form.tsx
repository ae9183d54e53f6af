"use client";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { serverNow } from "@/live/server-clock.ts";
import { parseCustomRange, toLocalInput } from "./custom-range.ts";
import { resolveRange, type TimeRange } from "./time-range.ts";

/** Two fixed instants in the user's time zone, starting with the current range. */
export function CustomRangeForm({ range, onChoose }: { range: TimeRange; onChoose: (range: TimeRange) => void }) {
  const [shown] = useState(() => resolveRange(range, serverNow()));
  const [from, setFrom] = useState(() => toLocalInput(shown.from));
  const [to, setTo] = useState(() => toLocalInput(shown.to));
  const [problem, setProblem] = useState<{ field: "from" | "to"; problem: string } | null>(null);
  const [failures, setFailures] = useState(0);

  function submit(): void {
    const parsed = parseCustomRange(from, to);
    if ("range" in parsed) onChoose(parsed.range);
    else {
      setProblem(parsed);
      setFailures((before) => before + 1);
    }
  }
  return (
    <Form failures={failures} isUnsaved={false} onSubmit={submit} className="flex flex-col gap-3 border-t p-3">
      <Field label="From" docs={null} required error={problem?.field === "from" ? problem.problem : undefined}>
        {(control) => (
          <Input {...control} type="datetime-local" step={1} value={from} onChange={(e) => setFrom(e.target.value)} />
        )}
      </Field>
      <Field label="To" docs={null} required error={problem?.field === "to" ? problem.problem : undefined}>
        {(control) => (
          <Input {...control} type="datetime-local" step={1} value={to} onChange={(e) => setTo(e.target.value)} />
        )}
      </Field>
      <div className="flex items-center justify-between gap-2">
        <p className="text-muted text-xs">{Intl.DateTimeFormat().resolvedOptions().timeZone}; the range is fixed.</p>
        <Button type="submit" variant="primary" size="sm">
          Apply
        </Button>
      </div>
    </Form>
  );
}
