import {
  AssociateRouteTableCommand,
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeImagesCommand,
  EC2Client,
  type ResourceType,
  RunInstancesCommand,
} from "@aws-sdk/client-ec2";

export const region = "eu-central-1";
export const zone = `${region}a`;
export const clusterName = "fairlead-test";
export const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "only-for-tests-of-a-controller" };

/** TestMachines are a separate VPC with a public subnet, and the machines of a cluster's nodes. */
export type TestMachines = { vpcId: string; subnetId: string; instanceIds: string[] };

/** AWS' controller uses objects with its cluster's tag, and creates balancers in subnets that are tagged for them. */
const tagsOf = (ResourceType: ResourceType) => [
  {
    ResourceType,
    Tags: [
      { Key: `kubernetes.io/cluster/${clusterName}`, Value: "owned" },
      { Key: "kubernetes.io/role/elb", Value: "1" },
      { Key: "kubernetes.io/role/internal-elb", Value: "1" },
    ],
  },
];

/** createTestMachines creates machines in an emulator. */
export async function createTestMachines(endpoint: string, count: number): Promise<TestMachines> {
  const client = new EC2Client({ region, endpoint, credentials });
  const tagged = (type: ResourceType) => ({ TagSpecifications: tagsOf(type) });
  try {
    const { Vpc } = await client.send(new CreateVpcCommand({ CidrBlock: "10.9.0.0/16", ...tagged("vpc") }));
    const VpcId = Vpc?.VpcId ?? "";
    const { Subnet } = await client.send(
      new CreateSubnetCommand({ VpcId, CidrBlock: "10.9.1.0/24", AvailabilityZone: zone, ...tagged("subnet") }),
    );
    const SubnetId = Subnet?.SubnetId ?? "";
    const { InternetGateway } = await client.send(new CreateInternetGatewayCommand({}));
    const GatewayId = InternetGateway?.InternetGatewayId ?? "";
    await client.send(new AttachInternetGatewayCommand({ InternetGatewayId: GatewayId, VpcId }));
    const { RouteTable } = await client.send(new CreateRouteTableCommand({ VpcId, ...tagged("route-table") }));
    const RouteTableId = RouteTable?.RouteTableId ?? "";
    await client.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId }));
    await client.send(new CreateRouteCommand({ RouteTableId, DestinationCidrBlock: "0.0.0.0/0", GatewayId }));
    const { GroupId = "" } = await client.send(
      new CreateSecurityGroupCommand({ GroupName: "nodes", Description: "nodes", VpcId, ...tagged("security-group") }),
    );
    const { Images } = await client.send(new DescribeImagesCommand({ Owners: ["amazon"] }));
    const { Instances } = await client.send(
      new RunInstancesCommand({
        ...{ ImageId: Images?.[0]?.ImageId, MinCount: count, MaxCount: count, InstanceType: "t3.micro" },
        ...{ SubnetId, SecurityGroupIds: [GroupId], ...tagged("instance") },
      }),
    );
    return { vpcId: VpcId, subnetId: SubnetId, instanceIds: (Instances ?? []).map((each) => each.InstanceId ?? "") };
  } finally {
    client.destroy();
  }
}
