import { isSix } from "@fairlead/domain";
import { CloudRefused } from "../../aws-api/cloud-refused.ts";
import type { Change } from "../../driver.ts";
import type { AddressProblem, DesiredAddresses } from "../cloud-route.ts";
import type { Interface, Interfaces } from "./interfaces.ts";
import type { Scene } from "./scene.ts";

export type Targets = {
  /** By the address of the replica. */
  interfaces: Map<string, Interface>;
  ours: Set<string>;
  changes: Change[];
  problems: AddressProblem[];
};

/** findTargets finds the network interfaces of replicas, and marks them. */
export async function findTargets(
  { interfaces, ways, isFourOnly }: Scene,
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
      problem("an IPv6 address is brought by the method route only; set that, or give the pool IPv4 addresses");
    else if (!only)
      problem(`no network interface has ${to}, which its replica reports; give the balancer its host's address`);
    else if (at.length > 1)
      problem(`${at.map((each) => each.id).join(" and ")} both have ${to}; name the VPC in the settings`);
    else if (!targets.interfaces.has(to)) targets.interfaces.set(to, only);
  }
  for (const [to, found] of targets.interfaces) {
    try {
      await prepare(interfaces, found, turnsOff, targets);
    } catch (error) {
      if (!(error instanceof CloudRefused)) throw error;
      // One replica's interface, say of a machine that has just ended, keeps the others from nothing.
      for (const each of addresses.filter((one) => one.to === to && !(isFourOnly && isSix(one.address))))
        targets.problems.push({ address: each.address, message: `${found.id}: ${error.message}` });
    }
  }
  return targets;
}

/** prepare has an interface be ours before anything leads to it. */
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
