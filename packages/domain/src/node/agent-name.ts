/** agentName begins a sentence about one of the agents of a node, which differ by their roles. */
export function agentName(nodeName: string, roles: readonly string[]): string {
  if (roles.length === 0) return `The agent of ${nodeName}`;
  return `The agent of the role${roles.length > 1 ? "s" : ""} ${roles.join(", ")} on ${nodeName}`;
}
