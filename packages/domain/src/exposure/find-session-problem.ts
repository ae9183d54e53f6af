import type { ExposedPort } from "./exposed-port.ts";
import type { Strategy } from "./strategy.ts";

export type SessionProblem = {
  path: ["strategy", "serverNames"] | ["ports", number, "protocol" | "targetPort"];
  message: string;
};

/** findSessionProblem returns why connections to these ports can't be placed by TLS session, or null. */
export function findSessionProblem(
  strategy: Strategy,
  ports: readonly (Pick<ExposedPort, "port" | "targetPort"> & Partial<Pick<ExposedPort, "protocol">>)[],
): SessionProblem | null {
  if (strategy.type !== "session") return null;
  const udp = ports.findIndex(({ protocol }) => protocol === "udp");
  if (udp >= 0)
    return {
      path: ["ports", udp, "protocol"],
      message: "the strategy session reads TLS over TCP, which UDP has none of: choose tcp, or another strategy",
    };
  const moved = ports.findIndex(({ port, targetPort = port }) => targetPort !== port);
  if (moved >= 0)
    return {
      path: ["ports", moved, "targetPort"],
      message:
        "the strategy session leaves the port as it is: let the instances listen on the exposed port, or expose the port on which they listen",
    };
  if (strategy.names === "off" && strategy.serverNames && strategy.serverNames.length > 0)
    return {
      path: ["strategy", "serverNames"],
      message: "server names are used only to learn names: leave them out, or set names to learned",
    };
  return null;
}
