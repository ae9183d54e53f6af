import { Receipt } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button.tsx";

/** To what load balancers really cost. */
export function RunningCostLink() {
  return (
    <Button asChild className="print:hidden">
      <Link href="/costs/running">
        <Receipt aria-hidden />
        Running cost
      </Link>
    </Button>
  );
}
