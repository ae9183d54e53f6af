"use client";
import { RequirePermission } from "@/components/settings/require-permission.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { MachinesSection } from "./machines-section.tsx";
import { PricesSection } from "./prices-section.tsx";
import { RatesSection } from "./rates-section.tsx";

/** An organisation's own machines, negotiated prices and currency rates, which override list prices. */
export function PriceBookPage() {
  return (
    <>
      <PageHeader
        title="Price book"
        sentence="Your own machines, prices and rates. For members of your organisation, they override list prices."
      />
      <div className="flex flex-col gap-10 px-4 pt-6 pb-10 md:px-6">
        <RequirePermission permission="price-book:read" title="Your role can't view the price book">
          <MachinesSection />
          <PricesSection />
          <RatesSection />
        </RequirePermission>
      </div>
    </>
  );
}
