import type { ExposedPort, Workload } from "@fairlead/domain/exposure";

/** describePort: "443 → 8443 tcp", or "443 tcp" if both are the same. */
export function describePort(port: ExposedPort): string {
  const target = port.targetPort !== undefined && port.targetPort !== port.port ? ` → ${port.targetPort}` : "";
  return `${port.port}${target} ${port.protocol}`;
}

export function describePorts(ports: readonly ExposedPort[]): string {
  return ports.map(describePort).join(", ");
}

/** describeTarget names a workload in a column: "default/web", or its selector. */
export function describeTarget(workload: Workload): string {
  if (workload.kind !== "selector") return `${workload.namespace}/${workload.name ?? ""}`;
  const labels = Object.entries(workload.selector ?? {}).map(([name, value]) => `${name}=${value}`);
  return `${workload.namespace}/${labels.join(",")}`;
}
