import type { ReactNode } from "react";
import { Button } from "../action/button.tsx";

/**
 * The footer of a form: the error, a cancel button and a submit button. A button that removes the setting is separate.
 */
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
  /** A button that removes the setting, if it is set. */
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

/** An error that belongs to no single field. */
export function FormProblem({ message }: { message: string }) {
  if (!message) return null;
  return (
    <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad text-sm">
      {message}
    </p>
  );
}
