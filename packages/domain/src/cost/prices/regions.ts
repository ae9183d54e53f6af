import type { Provider } from "./price-words.ts";

/** Where the price is the same in every region of its provider. */
export const anyRegion = "any";

type Group = { name: string; has: { test: (region: string) => boolean } };

/** Oracle names regions by cities, as us-ashburn-1; us-east-1 is another's. */
const inCity = (area: RegExp) => ({
  test: (region: string) => area.test(region) && !/-(central|((north|south)?(east|west))|north|south)-/.test(region),
});

/** Regions that a provider sets one price for, and which they are. */
const groups: Partial<Record<Provider, Group[]>> = {
  gcp: [
    { name: "north-america", has: /^(us|northamerica)-[a-z]+\d$/ },
    { name: "europe", has: /^europe-[a-z]+\d$/ },
  ],
  azure: [
    { name: "north-america", has: /^(east|west|central|northcentral|southcentral|westcentral)us\d?$|^canada/ },
    { name: "europe", has: /europe\d?$|^(uk|france|germany|sweden|norway|switzerland|italy|spain|poland)/ },
  ],
  oracle: [
    { name: "na-eu-uk", has: inCity(/^(us|ca|eu|uk)-/) },
    { name: "apac-japan-sa", has: inCity(/^(ap|sa|mx)-/) },
    { name: "me-africa", has: inCity(/^(me|af|il)-/) },
  ],
  hetzner: [
    { name: "eu", has: /^(fsn|nbg|hel)\d$/ },
    { name: "us", has: /^(ash|hil)$/ },
    { name: "sg", has: /^sin$/ },
  ],
};

/** widen names a region and those that it lies in, the narrowest first. */
export function widen(provider: Provider, region: string): string[] {
  const wider = (groups[provider] ?? []).filter(({ name, has }) => name !== region && has.test(region));
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
    groups[provider]?.some((group) => group.name === name && all.some((other) => group.has.test(other)));
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
