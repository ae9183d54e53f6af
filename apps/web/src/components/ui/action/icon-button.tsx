import { Tooltip } from "../overlay/tooltip.tsx";
import { Button, type ButtonProps } from "./button.tsx";

/** An icon button. The label is its accessible name and its tooltip. */
export function IconButton({
  label,
  hint,
  size = "icon",
  variant = "quiet",
  ...props
}: Omit<ButtonProps, "aria-label" | "asChild"> & { label: string; hint?: string }) {
  return (
    <Tooltip content={hint ?? label}>
      <Button aria-label={label} size={size} variant={variant} {...props} />
    </Tooltip>
  );
}
