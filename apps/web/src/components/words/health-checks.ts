import type { HealthCheck } from "@fairlead/domain";

/** describeHealthCheck says in a line how replicas ask whether an instance is well. */
export function describeHealthCheck(check: HealthCheck | null): string {
  if (!check) return "a TCP connection every second, for TCP ports";
  if (check.type === "none") return "none: an instance counts as up for as long as it is ready";
  const at = check.port === undefined ? "" : ` at port ${check.port}`;
  return `${questionOf(check)}${at}, every ${duration(check.intervalMs)}; up after ${check.rise}, down after ${check.fall} in a row`;
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
      return "a UDP question";
    default:
      return check satisfies never;
  }
}

function duration(ms: number): string {
  if (ms === 1_000) return "second";
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}
