/** The sentence in place of what a user without map:read doesn't get. */
export function NoMap({ className = "text-muted text-sm" }: { className?: string }) {
  return <span className={className}>You may not read address maps.</span>;
}
