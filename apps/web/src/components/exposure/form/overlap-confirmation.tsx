"use client";
import { Checkbox } from "@/components/ui/form/checkbox.tsx";

/** Confirms a prefix that overlaps a pool of another cluster. It appears only after the server reported the overlap. */
export function OverlapConfirmation(props: {
  problem: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  if (!props.problem && !props.checked) return null;
  return (
    <div className="flex flex-col gap-1">
      {props.problem ? (
        <p role="alert" className="text-bad text-xs">
          {props.problem}
        </p>
      ) : null}
      <label className="flex items-center gap-2 text-sm">
        <Checkbox
          checked={props.checked}
          {...(props.problem ? { "aria-invalid": true } : {})}
          onChange={({ target }) => props.onChange(target.checked)}
        />
        Allow overlap with other clusters
      </label>
    </div>
  );
}
