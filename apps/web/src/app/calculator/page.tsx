import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { CalculatorPage } from "@/components/cost/calculator/calculator-page.tsx";

export const metadata: Metadata = { title: "Load balancer costs" };

export default function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  return <CalculatorPage query={searchParams} isOwn={false} />;
}
