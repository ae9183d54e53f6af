import { type CloudRoute, isSix } from "@fairlead/domain";
import type { Change } from "../../driver.ts";
import {
  type AddressProblem,
  CloudRefused,
  type CloudRouteDriver,
  type CloudRouteFor,
  type DesiredAddresses,
} from "../cloud-route.ts";
import { type Ec2, openEc2 } from "./ec2.ts";
import { elasticAddresses } from "./elastic-addresses.ts";
import { type Interface, Interfaces } from "./interfaces.ts";
import { observeAddresses } from "./observe-addresses.ts";
import { readRouteTables, routeEntries } from "./route-entries.ts";
import { secondaryAddresses } from "./secondary-addresses.ts";
import type { Holding, Way } from "./way.ts";

/** awsCloudRoute brings addresses to replicas in a VPC of AWS: reads what is there, compares, and one call for a difference. */
export const awsCloudRoute: CloudRouteFor = (settings, credentials): CloudRouteDriver => {
  const open = openEc2(settings, credentials);
  return {
    async set(desired, signal) {
      const scene = await enter(open(signal), settings, desired.clusterId);
      const target = await findTargets(scene, desired);
      const { ways } = scene;
      const changes = [...target.changes];
      const problems = [...target.problems];
      const ask = { scene, targets: target.interfaces, ours: target.ours, changes, problems };
      await release(
        ask,
        without(
          desired.addresses.filter((each) => each.to === null),
          problems,
        ),
        [...ways].reverse(),
      );
      await point(
        ask,
        without(
          desired.addresses.filter((each) => each.to !== null),
          problems,
        ),
        ways,
      );
      const isOver = desired.addresses.every((each) => each.to === null) && problems.length === 0;
      if (isOver)
        for (const each of await scene.interfaces.marked()) {
          await scene.interfaces.unmark(each);
          changes.push({ message: `took the mark off ${each.id}` });
        }
      return { changes, problems };
    },
    async observe(ref, signal) {
      const scene = await enter(open(signal), settings, ref.clusterId);
      return observeAddresses(
        scene.interfaces,
        scene.ways,
        ref.addresses.map((each) => each.address),
      );
    },
  };
};

type Scene = { interfaces: Interfaces; ways: Way[]; isFourOnly: boolean };

async function enter(ec2: Ec2, settings: CloudRoute, clusterId: string): Promise<Scene> {
  switch (settings.method) {
    case "route": {
      const { tables, vpcId } = await readRouteTables(ec2, settings.routeTables);
      const interfaces = new Interfaces(ec2, clusterId, settings.vpcId ?? vpcId);
      return { interfaces, ways: [routeEntries(ec2, tables)], isFourOnly: false };
    }
    case "secondary-address": {
      const interfaces = new Interfaces(ec2, clusterId, settings.vpcId);
      return { interfaces, ways: [secondaryAddresses(ec2, interfaces)], isFourOnly: true };
    }
    case "elastic-address": {
      const interfaces = new Interfaces(ec2, clusterId, settings.vpcId);
      // The service address first: an Elastic IP leads to one that is there.
      const ways = [secondaryAddresses(ec2, interfaces), elasticAddresses(ec2, settings.elasticAddresses)];
      return { interfaces, ways, isFourOnly: true };
    }
    default:
      return settings satisfies never;
  }
}

type Targets = {
  /** By the address of the replica. */
  interfaces: Map<string, Interface>;
  ours: Set<string>;
  changes: Change[];
  problems: AddressProblem[];
};

/** findTargets finds the network interfaces of replicas, and marks them. */
async function findTargets({ interfaces, ways, isFourOnly }: Scene, { addresses }: DesiredAddresses): Promise<Targets> {
  const targets: Targets = { interfaces: new Map(), ours: new Set(), changes: [], problems: [] };
  for (const each of await interfaces.marked()) targets.ours.add(each.id);
  const found = await interfaces.at([...new Set(addresses.flatMap(({ to }) => to ?? []))]);
  const turnsOff = ways.some((each) => each.needsUnchecked);
  for (const { address, to } of addresses) {
    if (to === null) continue;
    const problem = (message: string) => targets.problems.push({ address, message });
    const at = found.filter((each) => each.addresses.includes(to));
    const [only] = at;
    if (isFourOnly && isSix(address)) problem("an IPv6 address takes the method route");
    else if (!only)
      problem(`no network interface has ${to}, which its replica reports; give the balancer its host's address`);
    else if (at.length > 1)
      problem(`${at.map((each) => each.id).join(" and ")} both have ${to}; name the VPC in the settings`);
    else if (!targets.interfaces.has(to)) targets.interfaces.set(to, only);
  }
  for (const each of targets.interfaces.values()) {
    if (each.mark === null) {
      await interfaces.mark(each, turnsOff);
      targets.ours.add(each.id);
      targets.changes.push({ message: `marked ${each.id}` });
    }
    if (turnsOff && each.isChecked) {
      await interfaces.check(each.id, false);
      targets.changes.push({ message: `turned the source/destination check of ${each.id} off` });
    }
  }
  return targets;
}

type Work = {
  scene: Scene;
  targets: Map<string, Interface>;
  ours: Set<string>;
  changes: Change[];
  problems: AddressProblem[];
};
type Wanted = { address: string; to: string | null };

async function point(work: Work, wanted: readonly Wanted[], ways: readonly Way[]): Promise<void> {
  for (const way of ways) {
    const still = without(wanted, work.problems);
    // Read again for each, since moving an address brings its Elastic IP along.
    const holdings = await read(work.scene, way, still);
    for (const { address, to } of still) {
      const target = work.targets.get(to ?? "");
      if (!target) continue;
      await each(work, holdings, address, async ({ holding, isOurs, isGone }) => {
        const { holder, place } = holding;
        if (holder.type === "interface" && holder.id === target.id && !holder.astray) return;
        if (holder.type !== "nobody" && !isOurs && !isGone) throw new CloudRefused(foreign(holding));
        await way.point(holding, target.id);
        work.changes.push({ message: `${address} in ${place} leads to ${target.id}` });
      });
    }
  }
}

async function release(work: Work, wanted: readonly Wanted[], ways: readonly Way[]): Promise<void> {
  for (const way of ways) {
    const holdings = await read(work.scene, way, wanted);
    for (const { address } of wanted)
      await each(work, holdings, address, async ({ holding, isOurs, isGone }) => {
        // What somebody else has made of it meanwhile is theirs.
        if (holding.holder.type === "nobody" || (!isOurs && !isGone)) return;
        await way.release(holding);
        work.changes.push({ message: `${address} in ${holding.place} leads nowhere` });
      });
  }
}

type Standing = { holding: Holding; isOurs: boolean; isGone: boolean };

async function read(scene: Scene, way: Way, wanted: readonly Wanted[]): Promise<(Holding & { isGone: boolean })[]> {
  if (wanted.length === 0) return [];
  const holdings = await way.read(wanted.map((each) => each.address));
  const ids = [...new Set(holdings.flatMap(({ holder }) => (holder.type === "interface" ? holder.id : [])))];
  const alive = new Set((await scene.interfaces.byId(ids)).map((found) => found.id));
  return holdings.map((holding) => ({
    ...holding,
    // An entry that leads to an interface which is no more serves nobody.
    isGone: holding.holder.type === "interface" && !alive.has(holding.holder.id),
  }));
}

/** each acts on all places of an address. What is refused of one address keeps no other waiting. */
async function each(
  { ours, problems }: Work,
  holdings: readonly (Holding & { isGone: boolean })[],
  address: string,
  act: (standing: Standing) => Promise<void>,
): Promise<void> {
  for (const { isGone, ...holding } of holdings) {
    if (holding.address !== address) continue;
    const { holder } = holding;
    const isOurs = holder.type === "interface" && !holder.fixed && ours.has(holder.id);
    try {
      await act({ holding, isOurs, isGone });
    } catch (error) {
      if (!(error instanceof CloudRefused)) throw error;
      problems.push({ address, message: error.message });
      return;
    }
  }
}

function foreign({ address, place, holder }: Holding): string {
  const where = holder.type === "interface" ? holder.id : holder.type === "other" ? holder.name : "";
  return `in ${place}, ${address} already leads to ${where}, which is no replica of this cluster's; remove that, or give the pool other addresses`;
}

function without(wanted: readonly Wanted[], problems: readonly AddressProblem[]): Wanted[] {
  return wanted.filter(({ address }) => !problems.some((problem) => problem.address === address));
}
