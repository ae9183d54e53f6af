import {
  type Address,
  AssociateAddressCommand,
  DescribeAddressesCommand,
  DisassociateAddressCommand,
} from "@aws-sdk/client-ec2";
import type { Ec2 } from "./ec2.ts";
import type { Way } from "./way.ts";

/** elasticAddresses associates Elastic IPs with service addresses that are already on their interfaces. It never releases one. */
export function elasticAddresses(ec2: Ec2, pairs: readonly { address: string; allocationId: string }[]): Way {
  const known = new Map<string, Address>();
  return {
    needsUnchecked: false,
    async read(addresses) {
      const requested = pairs.filter((each) => addresses.includes(each.address));
      if (requested.length === 0) return [];
      // By filter: with IDs, a missing one would fail the whole call.
      const Filters = [{ Name: "allocation-id", Values: requested.map((each) => each.allocationId) }];
      const found = await ec2.ask(new DescribeAddressesCommand({ Filters }), "DescribeAddresses");
      known.clear();
      for (const each of found.Addresses ?? []) known.set(each.AllocationId ?? "", each);
      return requested.map(({ address, allocationId: place }) => {
        const elastic = known.get(place);
        if (!elastic) return { address, place, holder: { type: "lost" } };
        const { NetworkInterfaceId: id, PrivateIpAddress: at, AssociationId } = elastic;
        if (!AssociationId || !id) return { address, place, holder: { type: "none" } };
        return { address, place, holder: { type: "interface", id, astray: at !== address } };
      });
    },
    async point({ address, place, holder }, NetworkInterfaceId) {
      const AllowReassociation = holder.type === "interface";
      const pair = { AllocationId: place, NetworkInterfaceId, PrivateIpAddress: address, AllowReassociation };
      await ec2.ask(new AssociateAddressCommand(pair), "AssociateAddress");
    },
    async release({ place }) {
      const AssociationId = known.get(place)?.AssociationId;
      if (AssociationId) await ec2.ask(new DisassociateAddressCommand({ AssociationId }), "DisassociateAddress");
    },
  };
}
