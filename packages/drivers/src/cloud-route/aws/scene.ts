import type { CloudRoute } from "@fairlead/domain";
import type { Ec2 } from "./ec2.ts";
import { elasticAddresses } from "./elastic-addresses.ts";
import { Interfaces } from "./interfaces.ts";
import { readRouteTables, routeEntries } from "./route-entries.ts";
import { secondaryAddresses } from "./secondary-addresses.ts";
import type { Way } from "./way.ts";

/** Scene is where the settings of a cluster have us work: its interfaces, and the ways that lead to them, in order. */
export type Scene = { interfaces: Interfaces; ways: Way[]; isFourOnly: boolean };

/** enter looks at the places that settings name, once for each time that something is to be done there. */
export async function enter(ec2: Ec2, settings: CloudRoute, clusterId: string): Promise<Scene> {
  switch (settings.method) {
    case "route": {
      const tables = await readRouteTables(ec2, settings.routeTables);
      const interfaces = new Interfaces(ec2, clusterId, settings.vpcId ?? tables.vpcId);
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
