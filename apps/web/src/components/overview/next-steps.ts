import type { Permission } from "@fairlead/domain/access";

export type NextStep = {
  done: boolean;
  title: string;
  why: string;
  href: string;
  action: string;
  permission: Permission;
};

/** nextSteps lists the steps from an empty installation to a useful one, in order. */
export function nextSteps(have: { nodes: number; reporting: number; pools: number; exposures: number }): NextStep[] {
  return [
    {
      done: have.reporting > 0 || have.nodes > 1,
      title: "Connect a node",
      why: "A node is a machine that runs the Fairlead agent. Its metrics appear here seconds after it enrols.",
      href: "/nodes?add=true",
      action: "Add node",
      permission: "node:write",
    },
    {
      done: have.pools > 0,
      title: "Create an address pool",
      why: "The prefix of virtual addresses, such as 192.0.2.0/24.",
      href: "/address-pools?create=true",
      action: "Create address pool",
      permission: "address-pool:write",
    },
    {
      done: have.exposures > 0,
      title: "Create an exposure",
      why: "Choose the workload and the ports to make reachable.",
      href: "/exposures/new",
      action: "Create exposure",
      permission: "exposure:write",
    },
    {
      done: have.nodes > 1,
      title: "Add a second node",
      why: "A single balancer is not redundant. With two nodes, one can fail.",
      href: "/nodes?add=true",
      action: "Add node",
      permission: "node:write",
    },
  ];
}
