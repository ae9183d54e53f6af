"use client";
import { type ReactNode, useState } from "react";

/** A closed part. Its content is drawn once it is opened, because drawing it at each key would take too long. */
export function Disclosure({ title, children }: { title: string; children: () => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="text-xs" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit text-muted">{title}</summary>
      {isOpen ? <div className="pt-2">{children()}</div> : null}
    </details>
  );
}
