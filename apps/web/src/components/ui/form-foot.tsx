import type { ReactNode } from "react";
import { Button } from "./button.tsx";

/** The foot of a form: why it was refused as a whole, the way out, and what sends it. Apart from these stands what takes it back. */
export function FormFoot({
  problem,
  action,
  busy,
  onCancel,
  children,
}: {
  problem: string;
  action: string;
  busy: boolean;
  onCancel: () => void;
  /** What undoes all of it, where there is anything to undo. */
  children?: ReactNode;
}) {
  return (
    <>
      <FormProblem message={problem} />
      <div className="flex flex-wrap justify-end gap-2">
        {children ? <div className="mr-auto">{children}</div> : null}
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {action}
        </Button>
      </div>
    </>
  );
}

/** Why a form was refused, when that is about no single field. */
export function FormProblem({ message }: { message: string }) {
  if (!message) return null;
  return (
    <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad text-sm">
      {message}
    </p>
  );
}
