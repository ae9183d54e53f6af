import type { CloudRoute } from "@fairlead/domain/cloud";
import { CloudRefused } from "../../aws-api/cloud-refused.ts";
import type { Change } from "../../driver.ts";
import type { AddressProblem, CloudRouteDriver, CloudRouteFor } from "../cloud-route.ts";
import { type Context, openContext } from "./context.ts";
import { type OpenEc2, openEc2 } from "./ec2.ts";
import type { Interface } from "./interfaces.ts";
import { observeAddresses } from "./observe-addresses.ts";
import { findTargets } from "./targets.ts";
import type { Holding, Way } from "./way.ts";

export type AwsOptions = {
  /** Endpoints that the operator allows although they are not public or don't use https. */
  allowedEndpoints: readonly string[];
};

/** awsCloudRoute routes addresses to replicas in an AWS VPC: it reads the state, compares, and makes one call per difference. */
export function awsCloudRoute({ allowedEndpoints }: AwsOptions): CloudRouteFor {
  return (settings, credentials) => driverBy(settings, openEc2(settings, credentials, allowedEndpoints));
}

function driverBy(settings: CloudRoute, ec2: OpenEc2): CloudRouteDriver {
  return {
    async set(desired, signal) {
      const context = await openContext(ec2.during(signal), settings, desired.clusterId);
      const target = await findTargets(context, desired);
      const { ways } = context;
      const changes = [...target.changes];
      const problems = [...target.problems];
      const ask = { context, targets: target.interfaces, ours: target.ours, changes, problems };
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
      const isEmpty = desired.addresses.every((each) => each.to === null);
      const isOver = isEmpty && !desired.isPart && problems.length === 0;
      if (isOver)
        for (const each of await context.interfaces.marked()) {
          await context.interfaces.unmark(each);
          changes.push({ message: `removed the tag from ${each.id}` });
        }
      return { changes, problems };
    },
    async observe(ref, signal) {
      const context = await openContext(ec2.during(signal), settings, ref.clusterId);
      return observeAddresses(
        context.interfaces,
        context.ways,
        ref.addresses.map((each) => each.address),
      );
    },
    async checked(ref, signal) {
      const { interfaces } = await openContext(ec2.during(signal), settings, ref.clusterId);
      const addresses = [...new Set(ref.addresses.map((each) => each.address))];
      const found = (await interfaces.at(addresses)).filter((each) => each.isChecked);
      return addresses.flatMap((address) => {
        const at = found.find((each) => each.addresses.includes(address));
        return at ? [{ address, interfaceId: at.id }] : [];
      });
    },
    close: ec2.close,
  };
}

type Work = {
  context: Context;
  targets: Map<string, Interface>;
  ours: Set<string>;
  changes: Change[];
  problems: AddressProblem[];
};
type Wanted = { address: string; to: string | null };

async function point(work: Work, wanted: readonly Wanted[], ways: readonly Way[]): Promise<void> {
  for (const way of ways) {
    const still = without(wanted, work.problems);
    // Read again for each, because moving an address also moves its Elastic IP.
    const holdings = await read(work.context, way, still);
    for (const { address, to } of still) {
      const target = work.targets.get(to ?? "");
      if (!target) continue;
      await each(work, holdings, address, async ({ holding, isOurs, isGone }) => {
        const { holder, place } = holding;
        if (holder.type === "interface" && holder.id === target.id && !holder.astray) return;
        if (holder.type === "lost")
          throw new CloudRefused(
            `${place} no longer exists, or belongs to another account than the access key; correct the settings`,
          );
        if (holder.type !== "none" && !isOurs && !isGone) throw new CloudRefused(foreign(holding));
        await way.point(holding, target.id);
        work.changes.push({ message: `${address} in ${place} leads to ${target.id}` });
      });
    }
  }
}

async function release(work: Work, wanted: readonly Wanted[], ways: readonly Way[]): Promise<void> {
  for (const way of ways) {
    const holdings = await read(work.context, way, wanted);
    for (const { address } of wanted)
      await each(work, holdings, address, async ({ holding, isOurs, isGone }) => {
        // Changes by others are kept.
        if (holding.holder.type === "none" || (!isOurs && !isGone)) return;
        await way.release(holding);
        work.changes.push({ message: `${address} in ${holding.place} leads nowhere` });
      });
  }
}

type PlaceState = { holding: Holding; isOurs: boolean; isGone: boolean };

async function read(context: Context, way: Way, wanted: readonly Wanted[]): Promise<(Holding & { isGone: boolean })[]> {
  if (wanted.length === 0) return [];
  const holdings = await way.read(wanted.map((each) => each.address));
  const ids = [...new Set(holdings.flatMap(({ holder }) => (holder.type === "interface" ? holder.id : [])))];
  const alive = new Set((await context.interfaces.byId(ids)).map((found) => found.id));
  return holdings.map((holding) => ({
    ...holding,
    // An entry for a deleted interface is unused.
    isGone: holding.holder.type === "interface" && !alive.has(holding.holder.id),
  }));
}

/** each acts on all places of an address. A refusal at one place doesn't block the others. */
async function each(
  { ours, problems }: Work,
  holdings: readonly (Holding & { isGone: boolean })[],
  address: string,
  act: (state: PlaceState) => Promise<void>,
): Promise<void> {
  for (const { isGone, ...holding } of holdings) {
    if (holding.address !== address) continue;
    const { holder } = holding;
    const isOurs = holder.type === "interface" && !holder.fixed && ours.has(holder.id);
    try {
      await act({ holding, isOurs, isGone });
    } catch (error) {
      if (!(error instanceof CloudRefused)) throw error;
      if (!problems.some((problem) => problem.address === address)) problems.push({ address, message: error.message });
    }
  }
}

function foreign({ address, place, holder }: Holding): string {
  const where = holder.type === "interface" ? holder.id : holder.type === "other" ? holder.name : "";
  return `in ${place}, ${address} already leads to ${where}, which is not a replica of this cluster; remove that, or use other addresses in the pool`;
}

function without(wanted: readonly Wanted[], problems: readonly AddressProblem[]): Wanted[] {
  return wanted.filter(({ address }) => !problems.some((problem) => problem.address === address));
}
