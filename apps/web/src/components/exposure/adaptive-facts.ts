import type { AdaptiveStrategy, Exposure } from "@fairlead/domain/exposure";
import { describeHealthCheck } from "@/components/words/health-checks.ts";

/** adaptiveFacts are the settings of the strategy adaptive, with their defaults. */
export function adaptiveFacts(
  { standby = {}, endsConnections = false, drainSeconds = 60 }: AdaptiveStrategy,
  check: Exposure["healthCheck"],
): [string, string][] {
  const labels = Object.entries(standby).map(([name, value]) => `${name}=${value}`);
  return [
    ["Health check", describeHealthCheck(check)],
    ["Standby instances", labels.length > 0 ? `those with ${labels.join(", ")}` : "none"],
    ["Drain time", `${drainSeconds} s`],
    [
      "Connections to removed instances",
      endsConnections ? "end after the drain time" : "last until a side closes them",
    ],
  ];
}
