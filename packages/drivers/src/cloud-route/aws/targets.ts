import { isSix } from "@fairlead/domain/address";
import { CloudRefused } from "../../aws-api/cloud-refused.ts";
import type { Change } from "../../driver.ts";
import type { AddressProblem, DesiredAddresses } from "../cloud-route.ts";
import type { Context } from "./context.ts";
import type { Interface, Interfaces } from "./interfaces.ts";

export type Targets = {
  /** By the address of the replica. */
  interfaces: Map<string, Interface>;
  ours: Set<string>;
  changes: Change[];
  problems: AddressProblem[];
};

/** findTargets finds the network interfaces of replicas, and marks them. */
export async function findTargets(
  { interfaces, ways, isFourOnly }: Context,
  { addresses }: DesiredAddresses,
): Promise<Targets> {
  const targets: Targets = { interfaces: new Map(), ours: new Set(), changes: [], problems: [] };
  for (const each of await interfaces.marked()) targets.ours.add(each.id);
  const found = await interfaces.at([...new Set(addresses.flatMap(({ to }) => to ?? []))]);
  const turnsOff = ways.some((each) => each.needsUnchecked);
  for (const { address, to } of addresses) {
    if (to === null) continue;
    const problem = (message: string) => targets.problems.push({ address, message });
    const at = found.filter((each) => each.addresses.includes(to));
    const [only] = at;
    if (isFourOnly && isSix(address))
      problem("IPv6 addresses need the method route; set it, or use IPv4 addresses in the pool");
    else if (!only)
      problem(
        `no network interface has ${to}, which its replica reports; set the balancer's address to that of its host`,
      );
    else if (at.length > 1)
      problem(`${at.map((each) => each.id).join(" and ")} both have ${to}; set the VPC in the settings`);
    else if (!targets.interfaces.has(to)) targets.interfaces.set(to, only);
  }
  for (const [to, found] of targets.interfaces) {
    try {
      await prepare(interfaces, found, turnsOff, targets);
    } catch (error) {
      if (!(error instanceof CloudRefused)) throw error;
      // A failure with one replica's interface, for example of a terminated machine, doesn't affect the others.
      for (const each of addresses.filter((one) => one.to === to && !(isFourOnly && isSix(one.address))))
        targets.problems.push({ address: each.address, message: `${found.id}: ${error.message}` });
    }
  }
  return targets;
}

/** prepare marks an interface as ours before anything is routed to it. */
async function prepare(interfaces: Interfaces, found: Interface, turnsOff: boolean, targets: Targets): Promise<void> {
  if (found.mark === null) {
    await interfaces.mark(found, turnsOff);
    targets.ours.add(found.id);
    targets.changes.push({ message: `marked ${found.id}` });
  }
  if (turnsOff && found.isChecked) {
    await interfaces.check(found.id, false);
    targets.changes.push({ message: `turned the source/destination check of ${found.id} off` });
  }
}
