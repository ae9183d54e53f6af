import {
  CreateTagsCommand,
  DeleteTagsCommand,
  DescribeNetworkInterfacesCommand,
  type Filter,
  ModifyNetworkInterfaceAttributeCommand,
  type NetworkInterface,
} from "@aws-sdk/client-ec2";
import { isSix } from "@fairlead/domain/address";
import { PageLimit } from "@fairlead/http";
import type { Ec2 } from "./ec2.ts";

export type Interface = {
  id: string;
  addresses: string[];
  primary: string;
  /** The source/destination check: AWS drops packets to other addresses than the interface's own. */
  isChecked: boolean;
  /** The value of our mark; null without a mark. */
  mark: string | null;
};

// Maximum values per filter; AWS allows 200.
const maxValues = 100;
/** Pages of 200 network interfaces each. */
const maxPages = 200;
/** Value of the mark if Fairlead turned the check off, and so must turn it on again at the end. */
const wasChecked = "source-dest-check was on";

/** The mark (tag) on network interfaces that may get addresses of a cluster. Routes to marked interfaces are ours. */
export function markOf(clusterId: string): string {
  return `fairlead:${clusterId}`;
}

/** Interfaces are the network interfaces of one VPC, from the view of one cluster. */
export class Interfaces {
  private readonly ec2: Ec2;
  private readonly clusterId: string;
  private readonly vpcId: string | null;

  constructor(ec2: Ec2, clusterId: string, vpcId: string | null) {
    this.ec2 = ec2;
    this.clusterId = clusterId;
    this.vpcId = vpcId;
  }

  /** at finds those that have one of these addresses. */
  async at(addresses: readonly string[]): Promise<Interface[]> {
    const fours = addresses.filter((each) => !isSix(each));
    const found = [
      ...(await this.describe("addresses.private-ip-address", fours)),
      ...(await this.describe("ipv6-addresses.ipv6-address", addresses.filter(isSix))),
    ];
    return [...new Map(found.map((each) => [each.id, each])).values()];
  }

  /** byId omits deleted interfaces. */
  byId(ids: readonly string[]): Promise<Interface[]> {
    return this.describe("network-interface-id", ids);
  }

  marked(): Promise<Interface[]> {
    return this.describe("tag-key", [markOf(this.clusterId)]);
  }

  /** mark must precede all other changes of an interface, so that after a crash its owner is known. */
  async mark({ id, isChecked }: Interface, turnsOff: boolean): Promise<void> {
    const Tags = [{ Key: markOf(this.clusterId), Value: turnsOff && isChecked ? wasChecked : "" }];
    await this.ec2.ask(new CreateTagsCommand({ Resources: [id], Tags }), "CreateTags");
  }

  async unmark({ id, mark }: Interface): Promise<void> {
    if (mark === wasChecked) await this.check(id, true);
    const Tags = [{ Key: markOf(this.clusterId) }];
    await this.ec2.ask(new DeleteTagsCommand({ Resources: [id], Tags }), "DeleteTags");
  }

  async check(id: string, isOn: boolean): Promise<void> {
    const change = { NetworkInterfaceId: id, SourceDestCheck: { Value: isOn } };
    await this.ec2.ask(new ModifyNetworkInterfaceAttributeCommand(change), "ModifyNetworkInterfaceAttribute");
  }

  private async describe(filter: string, values: readonly string[]): Promise<Interface[]> {
    const own = this.vpcId ? [{ Name: "vpc-id", Values: [this.vpcId] }] : [];
    const found: Interface[] = [];
    for (let i = 0; i < values.length; i += maxValues) {
      const Filters: Filter[] = [{ Name: filter, Values: values.slice(i, i + maxValues) }, ...own];
      const pages = new PageLimit(maxPages, "the answer to DescribeNetworkInterfaces");
      let NextToken: string | undefined;
      do {
        const ask = new DescribeNetworkInterfacesCommand({ Filters, MaxResults: 200, NextToken });
        const page = await this.ec2.ask(ask, "DescribeNetworkInterfaces");
        for (const each of page.NetworkInterfaces ?? []) found.push(this.read(each));
        NextToken = page.NextToken;
        if (NextToken) pages.next(NextToken);
      } while (NextToken);
    }
    return found;
  }

  private read(found: NetworkInterface): Interface {
    const fours = (found.PrivateIpAddresses ?? []).flatMap((each) => each.PrivateIpAddress ?? []);
    const sixes = (found.Ipv6Addresses ?? []).flatMap((each) => each.Ipv6Address ?? []);
    return {
      id: found.NetworkInterfaceId ?? "",
      primary: found.PrivateIpAddress ?? "",
      addresses: [...fours, ...sixes],
      isChecked: found.SourceDestCheck ?? false,
      mark: found.TagSet?.find((tag) => tag.Key === markOf(this.clusterId))?.Value ?? null,
    };
  }
}
