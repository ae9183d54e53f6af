import {
  AllocateAddressCommand,
  AssignPrivateIpAddressesCommand,
  AssociateAddressCommand,
  CreateNetworkInterfaceCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DeleteNetworkInterfaceCommand,
  DeleteRouteCommand,
  DescribeAddressesCommand,
  DescribeNetworkInterfacesCommand,
  DescribeRouteTablesCommand,
  DisassociateAddressCommand,
  EC2Client,
  ModifyNetworkInterfaceAttributeCommand,
  UnassignPrivateIpAddressesCommand,
} from "@aws-sdk/client-ec2";

export const testCredentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "only-for-tests-of-the-driver" };
const region = "eu-central-1";

/** TestVpc is a separate VPC in the emulator, for one test. */
export type TestVpc = {
  client: EC2Client;
  vpcId: string;
  place: { provider: "aws"; region: string; endpoint: string; vpcId: string };
  /** Optionally with an IPv6 address too. */
  addInterface: (address: string, six?: string) => Promise<string>;
  /** Terminates the machine of an interface, with the interface. */
  terminate: (interfaceId: string) => Promise<unknown>;
  addRouteTable: () => Promise<string>;
  addElasticAddress: () => Promise<string>;
  route: (table: string, address: string, interfaceId: string) => Promise<unknown>;
  unroute: (table: string, address: string) => Promise<unknown>;
  /** Where a route table routes an address; null if it has no entry. */
  leadsTo: (table: string, address: string) => Promise<string | null>;
  assign: (interfaceId: string, address: string) => Promise<unknown>;
  unassign: (interfaceId: string, address: string) => Promise<unknown>;
  /** The interface that has an address, or null. */
  holds: (address: string) => Promise<string | null>;
  associate: (allocationId: string, interfaceId: string) => Promise<unknown>;
  disassociate: (allocationId: string) => Promise<unknown>;
  /** Where an Elastic IP leads. */
  elastic: (allocationId: string) => Promise<{ interfaceId: string | null; at: string | null }>;
  /** Switches the source/destination check of an interface. */
  check: (interfaceId: string, isOn: boolean) => Promise<unknown>;
  interfaces: () => Promise<{ id: string; address: string; isChecked: boolean; tags: string[] }[]>;
};

/** createTestVpc creates one with one subnet, by default in the emulator that FAIRLEAD_TEST_EC2 names. */
export async function createTestVpc(
  endpoint = emulatorUrl(),
  credentials = testCredentials,
  network = "10.9.0.0/16",
): Promise<TestVpc> {
  const client = new EC2Client({ region, endpoint, credentials: { ...credentials } });
  const { Vpc } = await client.send(new CreateVpcCommand({ CidrBlock: network }));
  const VpcId = Vpc?.VpcId ?? "";
  const { Subnet } = await client.send(new CreateSubnetCommand({ VpcId, CidrBlock: network }));
  const elasticAddress = async (allocationId: string) => {
    const { Addresses } = await client.send(new DescribeAddressesCommand({ AllocationIds: [allocationId] }));
    return Addresses?.[0];
  };
  const own = { Filters: [{ Name: "vpc-id", Values: [VpcId] }] };
  return {
    client,
    vpcId: VpcId,
    place: { provider: "aws", region, endpoint, vpcId: VpcId },
    async addInterface(PrivateIpAddress, six) {
      const Ipv6Addresses = six === undefined ? [] : [{ Ipv6Address: six }];
      const { NetworkInterface } = await client.send(
        new CreateNetworkInterfaceCommand({ SubnetId: Subnet?.SubnetId, PrivateIpAddress, Ipv6Addresses }),
      );
      return NetworkInterface?.NetworkInterfaceId ?? "";
    },
    check(NetworkInterfaceId, Value) {
      const change = { NetworkInterfaceId, SourceDestCheck: { Value } };
      return client.send(new ModifyNetworkInterfaceAttributeCommand(change));
    },
    terminate: (NetworkInterfaceId) => client.send(new DeleteNetworkInterfaceCommand({ NetworkInterfaceId })),
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
    assign: (NetworkInterfaceId, address) =>
      client.send(new AssignPrivateIpAddressesCommand({ NetworkInterfaceId, PrivateIpAddresses: [address] })),
    unassign: (NetworkInterfaceId, address) =>
      client.send(new UnassignPrivateIpAddressesCommand({ NetworkInterfaceId, PrivateIpAddresses: [address] })),
    async holds(address) {
      const { NetworkInterfaces = [] } = await client.send(new DescribeNetworkInterfacesCommand(own));
      const found = NetworkInterfaces.find((each) =>
        each.PrivateIpAddresses?.some((one) => one.PrivateIpAddress === address),
      );
      return found?.NetworkInterfaceId ?? null;
    },
    associate: (AllocationId, NetworkInterfaceId) =>
      client.send(new AssociateAddressCommand({ AllocationId, NetworkInterfaceId })),
    async disassociate(allocationId) {
      const AssociationId = (await elasticAddress(allocationId))?.AssociationId ?? "";
      await client.send(new DisassociateAddressCommand({ AssociationId }));
    },
    async elastic(allocationId) {
      const { NetworkInterfaceId, PrivateIpAddress } = (await elasticAddress(allocationId)) ?? {};
      return { interfaceId: NetworkInterfaceId || null, at: PrivateIpAddress || null };
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

/** emulatorUrl is the only endpoint that tests allow, besides their own fronts. */
export function emulatorUrl(): string {
  const url = process.env.FAIRLEAD_TEST_EC2;
  if (!url) throw new Error("FAIRLEAD_TEST_EC2 is not set: the vitest project of this test must start an emulator");
  return url;
}
