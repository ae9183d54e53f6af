import { AssignPrivateIpAddressesCommand, UnassignPrivateIpAddressesCommand } from "@aws-sdk/client-ec2";
import type { Ec2 } from "./ec2.ts";
import type { Interfaces } from "./interfaces.ts";
import type { Holder, Way } from "./way.ts";

/** secondaryAddresses routes an address by assigning it to the interface. Its Elastic IP moves along. */
export function secondaryAddresses(ec2: Ec2, interfaces: Interfaces): Way {
  return {
    needsUnchecked: false,
    async read(addresses) {
      const found = await interfaces.at(addresses);
      return addresses.map((address) => {
        const at = found.find((each) => each.addresses.includes(address));
        return { address, place: "the VPC", holder: at ? holderOf(at, address) : { type: "none" } };
      });
    },
    async point({ address, holder }, NetworkInterfaceId) {
      // Reassigned only from the observed interface: AWS rejects it if someone else was faster.
      const take = {
        NetworkInterfaceId,
        PrivateIpAddresses: [address],
        AllowReassignment: holder.type === "interface",
      };
      await ec2.ask(new AssignPrivateIpAddressesCommand(take), "AssignPrivateIpAddresses");
    },
    async release({ address, holder }) {
      if (holder.type !== "interface") return;
      const leave = { NetworkInterfaceId: holder.id, PrivateIpAddresses: [address] };
      await ec2.ask(new UnassignPrivateIpAddressesCommand(leave), "UnassignPrivateIpAddresses");
    },
  };
}

/** The primary address of an interface can't be moved. */
function holderOf({ id, primary }: { id: string; primary: string }, address: string): Holder {
  return { type: "interface", id, fixed: primary === address };
}
