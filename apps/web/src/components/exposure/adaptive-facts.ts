import { type AdaptiveStrategy, adaptiveDrainSeconds, deliveries, type Exposure } from "@fairlead/domain/exposure";
import { describeHealthCheck } from "@/components/words/health-checks.ts";
import { countOf } from "@/components/words/numbers.ts";

/** adaptiveFacts are the settings of the strategy adaptive, with their defaults. */
export function adaptiveFacts(
  { standby = {}, endsConnections = false, drainSeconds = adaptiveDrainSeconds, outside }: AdaptiveStrategy,
  check: Exposure["healthCheck"],
): [string, string][] {
  const labels = Object.entries(standby).map(([name, value]) => `${name}=${value}`);
  return [
    ["Health check", describeHealthCheck(check)],
    ["Clients outside", outside ? `by ${countOf(outside.replicas, "balancer")}` : "don't reach it"],
    ...(outside
      ? [["Delivery", outside.delivery ? deliveries[outside.delivery].title : "automatic"] satisfies [string, string]]
      : []),
    ["Standby instances", labels.length > 0 ? `those with ${labels.join(", ")}` : "none"],
    ["Drain time", `${drainSeconds} s`],
    [
      "Connections to removed instances",
      endsConnections ? "end after the drain time" : "last until a side closes them",
    ],
  ];
}
