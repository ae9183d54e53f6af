import { randomBytes } from "node:crypto";
import { CloudWatchClient, PutMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import { CreateSubnetCommand, CreateVpcCommand, EC2Client } from "@aws-sdk/client-ec2";
import {
  CreateLoadBalancerCommand as CreateClassicCommand,
  ElasticLoadBalancingClient,
} from "@aws-sdk/client-elastic-load-balancing";
import {
  CreateLoadBalancerCommand,
  DeleteLoadBalancerCommand,
  ElasticLoadBalancingV2Client,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { emulatorUrl, testCredentials } from "../../cloud-route/testing/test-vpc.ts";

/** A load balancer in the emulator: the name that its clients use, and its name in metrics. */
export type TestBalancer = { address: string; id: string; arn: string };

/** TestBalancers creates load balancers in one region of the emulator, and writes their metrics to CloudWatch. */
export type TestBalancers = {
  network: (name?: string, type?: "network" | "application") => Promise<TestBalancer>;
  classic: (protocol?: "TCP" | "HTTP", name?: string) => Promise<TestBalancer>;
  remove: (balancer: TestBalancer) => Promise<unknown>;
  /** measure writes the values of a minute: bytes, live and new flows of a network balancer; bytes and requests of a classic one. */
  measure: (balancer: TestBalancer, minute: Date, values: Record<string, number>) => Promise<unknown>;
  close: () => void;
};

export function createTestBalancers(region = "eu-central-1", endpoint = emulatorUrl()): TestBalancers {
  const settings = { region, endpoint, credentials: { ...testCredentials } };
  const ec2 = new EC2Client(settings);
  const newer = new ElasticLoadBalancingV2Client(settings);
  const older = new ElasticLoadBalancingClient(settings);
  const metrics = new CloudWatchClient(settings);
  let subnet: Promise<string> | undefined;
  return {
    async network(Name = nameOfOwn(), Type = "network") {
      subnet ??= createSubnet(ec2);
      const made = await newer.send(new CreateLoadBalancerCommand({ Name, Type, Subnets: [await subnet] }));
      const { DNSName = "", LoadBalancerArn: arn = "" } = made.LoadBalancers?.[0] ?? {};
      return { address: DNSName, id: arn.split(":loadbalancer/")[1] ?? "", arn };
    },
    async classic(Protocol = "TCP", LoadBalancerName = nameOfOwn()) {
      const Listeners = [{ Protocol, LoadBalancerPort: 80, InstancePort: 80 }];
      const input = { LoadBalancerName, Listeners, AvailabilityZones: [`${region}a`] };
      const { DNSName = "" } = await older.send(new CreateClassicCommand(input));
      return { address: DNSName, id: LoadBalancerName, arn: "" };
    },
    remove: ({ arn }) => newer.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: arn })),
    measure({ id, arn }, Timestamp, values) {
      const Dimensions = [{ Name: arn ? "LoadBalancer" : "LoadBalancerName", Value: id }];
      const MetricData = Object.entries(values).map(([MetricName, Value]) => ({
        MetricName,
        Value,
        Timestamp,
        Dimensions,
      }));
      return metrics.send(new PutMetricDataCommand({ Namespace: arn ? "AWS/NetworkELB" : "AWS/ELB", MetricData }));
    },
    close() {
      for (const client of [ec2, newer, older, metrics]) client.destroy();
    },
  };
}

function nameOfOwn(): string {
  return `k8s-${randomBytes(6).toString("hex")}`;
}

async function createSubnet(ec2: EC2Client): Promise<string> {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: "10.8.0.0/16" }));
  const input = { VpcId: Vpc?.VpcId, CidrBlock: "10.8.0.0/24" };
  const { Subnet } = await ec2.send(new CreateSubnetCommand(input));
  return Subnet?.SubnetId ?? "";
}
