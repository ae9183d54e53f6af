import type { Metadata } from "next";
import { RunningCosts } from "@/components/cost/running-costs.tsx";

export const metadata: Metadata = { title: "Running cost · Costs" };

// The current month must be determined on every request.
export const dynamic = "force-dynamic";

export default function Page() {
  return <RunningCosts now={new Date().toISOString()} />;
}
