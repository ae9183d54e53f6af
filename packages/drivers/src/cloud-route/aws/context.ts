import type { CloudRoute } from "@fairlead/domain/cloud";
import type { Ec2 } from "./ec2.ts";
import { elasticAddresses } from "./elastic-addresses.ts";
import { Interfaces } from "./interfaces.ts";
import { readRouteTables, routeEntries } from "./route-entries.ts";
import { secondaryAddresses } from "./secondary-addresses.ts";
import type { Way } from "./way.ts";

/** Context is the VPC of a cluster's settings: its interfaces, and the ways to route to them, in order. */
export type Context = { interfaces: Interfaces; ways: Way[]; isFourOnly: boolean };

/** openContext reads the places in the settings, once per operation. */
export async function openContext(ec2: Ec2, settings: CloudRoute, clusterId: string): Promise<Context> {
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
      // The service address first: an Elastic IP needs it.
      const ways = [secondaryAddresses(ec2, interfaces), elasticAddresses(ec2, settings.elasticAddresses)];
      return { interfaces, ways, isFourOnly: true };
    }
    default:
      return settings satisfies never;
  }
}
