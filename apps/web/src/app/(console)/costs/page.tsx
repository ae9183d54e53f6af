import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { CalculatorPage } from "@/components/cost/calculator/calculator-page.tsx";

export const metadata: Metadata = { title: "Costs" };

export default function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  return <CalculatorPage query={searchParams} isOwn />;
}
