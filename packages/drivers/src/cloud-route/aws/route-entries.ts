import {
  CreateRouteCommand,
  DeleteRouteCommand,
  DescribeRouteTablesCommand,
  ReplaceRouteCommand,
  type Route,
  type RouteTable,
} from "@aws-sdk/client-ec2";
import { hostPrefix, isSix } from "@fairlead/domain/address";
import { CloudRefused } from "../../aws-api/cloud-refused.ts";
import type { Ec2 } from "./ec2.ts";
import type { Holder, Holding, Way } from "./way.ts";

export type RouteTables = { tables: RouteTable[]; lost: string[]; vpcId: string | null };

/** readRouteTables returns the tables, which must be in one VPC. `lost` are tables that don't exist. */
export async function readRouteTables(ec2: Ec2, ids: string[]): Promise<RouteTables> {
  // By filter: with IDs, a missing one would fail the whole call.
  const Filters = [{ Name: "route-table-id", Values: ids }];
  const found = await ec2.ask(new DescribeRouteTablesCommand({ Filters }), "DescribeRouteTables");
  const tables = found.RouteTables ?? [];
  const vpcs = [...new Set(tables.flatMap((each) => each.VpcId ?? []))];
  if (vpcs.length > 1)
    throw new CloudRefused(`the route tables are of several VPCs (${vpcs.join(", ")}); name those of one`);
  const lost = ids.filter((id) => !tables.some((each) => each.RouteTableId === id));
  return { tables, lost, vpcId: vpcs[0] ?? null };
}

/** routeEntries routes an address with an entry in each of these route tables. */
export function routeEntries(ec2: Ec2, { tables, lost }: RouteTables): Way {
  const entry = (address: string) =>
    isSix(address) ? { DestinationIpv6CidrBlock: hostPrefix(address) } : { DestinationCidrBlock: hostPrefix(address) };
  return {
    needsUnchecked: true,
    async read(addresses) {
      const nowhere = lost.flatMap((place) =>
        addresses.map((address): Holding => ({ address, place, holder: { type: "lost" } })),
      );
      const there = tables.flatMap(({ RouteTableId: place = "", Routes: routes = [] }) =>
        addresses.map((address): Holding => {
          const { DestinationCidrBlock: four, DestinationIpv6CidrBlock: six } = entry(address);
          const found = routes.find((each) =>
            four ? each.DestinationCidrBlock === four : each.DestinationIpv6CidrBlock === six,
          );
          return { address, place, holder: found ? holderOf(found) : { type: "none" } };
        }),
      );
      return [...there, ...nowhere];
    },
    async point({ address, place, holder }, NetworkInterfaceId) {
      const route = { RouteTableId: place, ...entry(address), NetworkInterfaceId };
      // Created only if missing: AWS rejects it if someone else was faster.
      if (holder.type === "none") await ec2.ask(new CreateRouteCommand(route), "CreateRoute");
      else await ec2.ask(new ReplaceRouteCommand(route), "ReplaceRoute");
    },
    async release({ address, place }) {
      await ec2.ask(new DeleteRouteCommand({ RouteTableId: place, ...entry(address) }), "DeleteRoute");
    },
  };
}

function holderOf(route: Route): Holder {
  if (route.NetworkInterfaceId) return { type: "interface", id: route.NetworkInterfaceId };
  const { GatewayId, NatGatewayId, TransitGatewayId, VpcPeeringConnectionId, InstanceId } = route;
  const name = GatewayId || NatGatewayId || TransitGatewayId || VpcPeeringConnectionId || InstanceId;
  return { type: "other", name: name || "something else" };
}
