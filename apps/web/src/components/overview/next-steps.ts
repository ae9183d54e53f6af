import type { Permission } from "@fairlead/domain";

export type NextStep = {
  done: boolean;
  title: string;
  why: string;
  href: string;
  action: string;
  permission: Permission;
};

/** nextSteps is what turns an empty installation into a useful one, in the order that works. */
export function nextSteps(have: { nodes: number; reporting: number; pools: number; exposures: number }): NextStep[] {
  return [
    {
      done: have.reporting > 0 || have.nodes > 1,
      title: "Have a node report",
      why: "A node is a machine that runs our agent. Its figures appear here seconds after it enrols.",
      href: "/nodes?add=true",
      action: "Add a node",
      permission: "node:write",
    },
    {
      done: have.pools > 0,
      title: "Create an address pool",
      why: "The prefix that virtual addresses come from, such as 192.0.2.0/24.",
      href: "/address-pools?create=true",
      action: "Create a pool",
      permission: "pool:write",
    },
    {
      done: have.exposures > 0,
      title: "Create an exposure",
      why: "Say which ports of which workload should be reachable, and how.",
      href: "/exposures/new",
      action: "Create an exposure",
      permission: "exposure:write",
    },
    {
      done: have.nodes > 1,
      title: "Add a second node",
      why: "One balancer is no redundancy: with two nodes, one may fail.",
      href: "/nodes?add=true",
      action: "Add a node",
      permission: "node:write",
    },
  ];
}
