import type { Backend } from "@fairlead/domain/load-balancer";
import { type StatusLook, statusLooks } from "@/components/ui/status/status.ts";

/** healthLook is the look of a backend's health. Only a health that is checked has a time, also before the first result. */
export function healthLook({ health, healthSince }: Pick<Backend, "health" | "healthSince">): StatusLook {
  const look = statusLooks[health];
  return health === "unknown" && healthSince ? { ...look, word: "Not checked yet" } : look;
}
