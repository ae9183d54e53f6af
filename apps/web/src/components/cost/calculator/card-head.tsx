import type { ReactNode } from "react";

/** The head of a card of the recommendation: its title and its grade. */
export function CardHead({ title, badge }: { title: string; badge: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-2">
      <h2 className="text-muted text-xs">{title}</h2>
      {badge}
    </div>
  );
}
