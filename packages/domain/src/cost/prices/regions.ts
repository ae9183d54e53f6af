import { type Provider, providers, type RegionGroup } from "./providers.ts";

/** The region of prices that are the same in all regions of a provider. */
export const anyRegion = "any";

function groupsOf(provider: Provider): readonly RegionGroup[] {
  return providers[provider].regionGroups;
}

/** widen returns a region and its wider regions, the narrowest first. */
export function widen(provider: Provider, region: string): string[] {
  const wider = groupsOf(provider).filter(({ name, has }) => name !== region && has.test(region));
  return [...new Set([region, ...wider.map(({ name }) => name), anyRegion])];
}

/** isKnownRegion reports whether a region, or a wider region of it, has prices. */
export function isKnownRegion(provider: Provider, region: string, known: readonly string[]): boolean {
  return known.includes(region) || widen(provider, region).some((name) => name !== anyRegion && known.includes(name));
}

/** narrowest leaves out groups whose regions are listed, and "any". */
export function narrowest(provider: Provider, names: Iterable<string>): string[] {
  const all = [...new Set(names)].filter((name) => name !== anyRegion).sort();
  const isGroup = (name: string) =>
    groupsOf(provider).some((group) => group.name === name && all.some((other) => group.has.test(other)));
  const narrow = all.filter((name) => !isGroup(name));
  return narrow.length > 0 ? narrow : [anyRegion];
}

/** pricedRegions lists the regions of a provider with prices, without groups whose regions are listed. */
export function pricedRegions(provider: Provider, points: readonly { provider: Provider; region: string }[]): string[] {
  return narrowest(
    provider,
    points.filter((point) => point.provider === provider).map(({ region }) => region),
  );
}
