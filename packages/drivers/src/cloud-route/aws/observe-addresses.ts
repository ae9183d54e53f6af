import type { ObservedAddress } from "../cloud-route.ts";
import type { Interfaces } from "./interfaces.ts";
import type { Way } from "./way.ts";

/** observeAddresses reads where addresses lead, in all places that have to agree on it. */
export async function observeAddresses(
  interfaces: Interfaces,
  ways: readonly Way[],
  addresses: readonly string[],
): Promise<ObservedAddress[]> {
  const holdings = (await Promise.all(ways.map((way) => way.read(addresses)))).flat();
  const ids = holdings.flatMap(({ holder }) => (holder.type === "interface" ? holder.id : []));
  const found = new Map((await interfaces.byId([...new Set(ids)])).map((each) => [each.id, each]));
  return addresses.map((address) => {
    const holders = holdings
      .filter((each) => each.address === address && each.holder.type !== "lost")
      .map((each) => each.holder);
    const leads = new Set(holders.map((each) => (each.type === "interface" && !each.astray ? each.id : "")));
    const [only = ""] = leads.size === 1 ? leads : [];
    const at = found.get(only);
    return {
      address,
      interfaceId: at?.id ?? null,
      reaches: at?.addresses ?? [],
      isOurs: at !== undefined && at.mark !== null && !holders.some((each) => each.type === "interface" && each.fixed),
    };
  });
}
