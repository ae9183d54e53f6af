import { Button, type ButtonProps } from "./button.tsx";
import { Tooltip } from "./tooltip.tsx";

/** A button that is only a picture: the label names it for everyone who can't see or guess it. */
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
