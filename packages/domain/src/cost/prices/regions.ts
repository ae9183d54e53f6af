import { type Provider, providers, type RegionGroup } from "./providers.ts";

/** Where the price is the same in every region of its provider. */
export const anyRegion = "any";

function groupsOf(provider: Provider): readonly RegionGroup[] {
  return providers[provider].regionGroups;
}

/** widen names a region and those that it lies in, the narrowest first. */
export function widen(provider: Provider, region: string): string[] {
  const wider = groupsOf(provider).filter(({ name, has }) => name !== region && has.test(region));
  return [...new Set([region, ...wider.map(({ name }) => name), anyRegion])];
}

/** isKnownRegion says whether a region is one of a provider's, or lies in one that has prices. */
export function isKnownRegion(provider: Provider, region: string, known: readonly string[]): boolean {
  return known.includes(region) || widen(provider, region).some((name) => name !== anyRegion && known.includes(name));
}

/** narrowest leaves out what only holds others together: a group with a region of its own, and everywhere. */
export function narrowest(provider: Provider, names: Iterable<string>): string[] {
  const all = [...new Set(names)].filter((name) => name !== anyRegion).sort();
  const isGroup = (name: string) =>
    groupsOf(provider).some((group) => group.name === name && all.some((other) => group.has.test(other)));
  const narrow = all.filter((name) => !isGroup(name));
  return narrow.length > 0 ? narrow : [anyRegion];
}

/** pricedRegions names where there are prices of a provider; what only holds other regions together is left out. */
export function pricedRegions(provider: Provider, points: readonly { provider: Provider; region: string }[]): string[] {
  return narrowest(
    provider,
    points.filter((point) => point.provider === provider).map(({ region }) => region),
  );
}
