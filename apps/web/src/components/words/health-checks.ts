import type { HealthCheck } from "@fairlead/domain/exposure";

/** describeHealthCheck describes a health check in one line. */
export function describeHealthCheck(check: HealthCheck | null): string {
  if (!check) return "a TCP connection every second, for TCP ports";
  if (check.type === "none") return "none: an instance is healthy as long as it is ready";
  const at = check.port === undefined ? "" : ` on port ${check.port}`;
  return `${questionOf(check)}${at}, every ${duration(check.intervalMs)}; healthy after ${check.rise}, unhealthy after ${check.fall} in a row`;
}

function questionOf(check: Exclude<HealthCheck, { type: "none" }>): string {
  switch (check.type) {
    case "tcp":
      return "a TCP connection";
    case "http":
    case "https":
      return `${check.type.toUpperCase()} ${check.path}`;
    case "grpc":
      return check.service ? `gRPC health of ${check.service}` : "gRPC health";
    case "udp":
      return "a UDP probe";
    default:
      return check satisfies never;
  }
}

function duration(ms: number): string {
  if (ms === 1_000) return "second";
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}
