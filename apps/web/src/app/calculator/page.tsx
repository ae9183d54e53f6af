import type { Metadata } from "next";
import { CalculatorPage } from "@/components/calculator/calculator-page.tsx";

export const metadata: Metadata = { title: "What a load balancer costs" };

export default function Page() {
  return <CalculatorPage />;
}
