import {
  AllocateAddressCommand,
  CreateNetworkInterfaceCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DeleteRouteCommand,
  DescribeNetworkInterfacesCommand,
  DescribeRouteTablesCommand,
  EC2Client,
} from "@aws-sdk/client-ec2";

export const testCredentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "only-for-tests-of-the-driver" };
const region = "eu-central-1";

/** TestVpc is a VPC of its own in the emulator: nothing in it is anybody else's. */
export type TestVpc = {
  client: EC2Client;
  vpcId: string;
  place: { provider: "aws"; region: string; endpoint: string; vpcId: string };
  addInterface: (address: string) => Promise<string>;
  addRouteTable: () => Promise<string>;
  addElasticAddress: () => Promise<string>;
  route: (table: string, address: string, interfaceId: string) => Promise<unknown>;
  unroute: (table: string, address: string) => Promise<unknown>;
  /** Where a route table leads an address; null for nowhere. */
  leadsTo: (table: string, address: string) => Promise<string | null>;
  interfaces: () => Promise<{ id: string; address: string; isChecked: boolean; tags: string[] }[]>;
};

/** createTestVpc makes one with the network 10.9.0.0/16, at the emulator that FAIRLEAD_TEST_EC2 names. */
export async function createTestVpc(endpoint = emulator()): Promise<TestVpc> {
  const client = new EC2Client({ region, endpoint, credentials: { ...testCredentials } });
  const { Vpc } = await client.send(new CreateVpcCommand({ CidrBlock: "10.9.0.0/16" }));
  const VpcId = Vpc?.VpcId ?? "";
  const { Subnet } = await client.send(new CreateSubnetCommand({ VpcId, CidrBlock: "10.9.0.0/20" }));
  const own = { Filters: [{ Name: "vpc-id", Values: [VpcId] }] };
  return {
    client,
    vpcId: VpcId,
    place: { provider: "aws", region, endpoint, vpcId: VpcId },
    async addInterface(PrivateIpAddress) {
      const { NetworkInterface } = await client.send(
        new CreateNetworkInterfaceCommand({ SubnetId: Subnet?.SubnetId, PrivateIpAddress }),
      );
      return NetworkInterface?.NetworkInterfaceId ?? "";
    },
    async addRouteTable() {
      const { RouteTable } = await client.send(new CreateRouteTableCommand({ VpcId }));
      return RouteTable?.RouteTableId ?? "";
    },
    async addElasticAddress() {
      const { AllocationId } = await client.send(new AllocateAddressCommand({ Domain: "vpc" }));
      return AllocationId ?? "";
    },
    route: (RouteTableId, address, NetworkInterfaceId) =>
      client.send(new CreateRouteCommand({ RouteTableId, DestinationCidrBlock: `${address}/32`, NetworkInterfaceId })),
    unroute: (RouteTableId, address) =>
      client.send(new DeleteRouteCommand({ RouteTableId, DestinationCidrBlock: `${address}/32` })),
    async leadsTo(table, address) {
      const { RouteTables } = await client.send(new DescribeRouteTablesCommand({ RouteTableIds: [table] }));
      const found = RouteTables?.[0]?.Routes?.find((each) => each.DestinationCidrBlock === `${address}/32`);
      return found?.NetworkInterfaceId ?? null;
    },
    async interfaces() {
      const { NetworkInterfaces } = await client.send(new DescribeNetworkInterfacesCommand(own));
      return (NetworkInterfaces ?? []).map((each) => ({
        id: each.NetworkInterfaceId ?? "",
        address: each.PrivateIpAddress ?? "",
        isChecked: each.SourceDestCheck ?? true,
        tags: (each.TagSet ?? []).map((tag) => tag.Key ?? ""),
      }));
    },
  };
}

function emulator(): string {
  const url = process.env.FAIRLEAD_TEST_EC2;
  if (!url) throw new Error("FAIRLEAD_TEST_EC2 names no emulator: the project that runs this test has to start one");
  return url;
}
