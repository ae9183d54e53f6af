"use client";
import { ForThoseWhoMay } from "@/components/settings/for-those-who-may.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { MachinesSection } from "./machines-section.tsx";
import { PricesSection } from "./prices-section.tsx";
import { RatesSection } from "./rates-section.tsx";

/** What an organisation owns, agreed and reckons by, instead of what is listed. */
export function PriceBookPage() {
  return (
    <>
      <PageHeader
        title="Price book"
        sentence="Your own machines, prices and rates. For the members of your organisation they come before what is listed."
      />
      <div className="flex flex-col gap-10 px-4 pt-2 pb-10 md:px-6">
        <ForThoseWhoMay permission="price-book:read" title="The price book is not for your role">
          <MachinesSection />
          <PricesSection />
          <RatesSection />
        </ForThoseWhoMay>
      </div>
    </>
  );
}
