import type { ReactNode } from "react";
import { SubNav } from "@/components/ui/layout/sub-nav.tsx";

const pages = [
  { href: "/costs", label: "Calculator" },
  { href: "/costs/running", label: "Running cost" },
  { href: "/costs/price-book", label: "Price book" },
  { href: "/costs/prices", label: "Price refreshes" },
] as const;

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <SubNav label="Costs" pages={pages} />
      {children}
    </>
  );
}
