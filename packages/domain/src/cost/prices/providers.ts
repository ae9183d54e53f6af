/** A name in a provider's price list for several regions. */
export type RegionGroup = { name: string; has: { test: (region: string) => boolean } };

type ProviderFacts = {
  title: string;
  /** The offer that the provider's controller creates for a Service of type LoadBalancer. */
  usualBalancer: string | null;
  /** Whether the strategy cloud supports it. */
  isForStrategy: boolean;
  /** Whether balancers share a bill: it counts their rules together, or has a free amount. */
  sharesBill: boolean;
  /** What counts as a rule, if the rules of all balancers of a cluster are billed together, such as Google's per project. */
  bundlesRulesBy: "protocols" | "ports" | null;
  /** Groups of regions with the same price. */
  regionGroups: readonly RegionGroup[];
};

/** Oracle names regions after cities, such as us-ashburn-1; us-east-1 is another provider's. */
const inCity = (area: RegExp) => ({
  test: (region: string) => area.test(region) && !/-(central|((north|south)?(east|west))|north|south)-/.test(region),
});

/** The providers of prices and load balancers. */
export const providers = {
  aws: {
    title: "AWS",
    usualBalancer: "aws-nlb",
    isForStrategy: true,
    sharesBill: false,
    bundlesRulesBy: null,
    regionGroups: [],
  },
  gcp: {
    title: "Google Cloud",
    usualBalancer: "gcp-passthrough-nlb",
    isForStrategy: true,
    sharesBill: true,
    bundlesRulesBy: "protocols",
    regionGroups: [
      { name: "north-america", has: /^(us|northamerica)-[a-z]+\d$/ },
      { name: "europe", has: /^europe-[a-z]+\d$/ },
    ],
  },
  azure: {
    title: "Azure",
    usualBalancer: "azure-lb-standard",
    isForStrategy: true,
    sharesBill: true,
    bundlesRulesBy: "ports",
    regionGroups: [
      { name: "north-america", has: /^(east|west|central|northcentral|southcentral|westcentral)us\d?$|^canada/ },
      { name: "europe", has: /europe\d?$|^(uk|france|germany|sweden|norway|switzerland|italy|spain|poland)/ },
    ],
  },
  oracle: {
    title: "Oracle Cloud",
    usualBalancer: "oracle-flexible-lb",
    isForStrategy: false,
    sharesBill: true,
    bundlesRulesBy: null,
    regionGroups: [
      { name: "na-eu-uk", has: inCity(/^(us|ca|eu|uk)-/) },
      { name: "apac-japan-sa", has: inCity(/^(ap|sa|mx)-/) },
      { name: "me-africa", has: inCity(/^(me|af|il)-/) },
    ],
  },
  hetzner: {
    title: "Hetzner",
    usualBalancer: "hetzner-lb11",
    isForStrategy: false,
    sharesBill: false,
    bundlesRulesBy: null,
    regionGroups: [
      { name: "eu", has: /^(fsn|nbg|hel)\d$/ },
      { name: "us", has: /^(ash|hil)$/ },
      { name: "sg", has: /^sin$/ },
    ],
  },
  digitalocean: {
    title: "DigitalOcean",
    usualBalancer: "digitalocean-regional-lb",
    isForStrategy: false,
    sharesBill: false,
    bundlesRulesBy: null,
    regionGroups: [],
  },
  linode: {
    title: "Linode",
    usualBalancer: "linode-nodebalancer",
    isForStrategy: false,
    sharesBill: false,
    bundlesRulesBy: null,
    regionGroups: [],
  },
  scaleway: {
    title: "Scaleway",
    usualBalancer: "scaleway-lb-s",
    isForStrategy: false,
    sharesBill: false,
    bundlesRulesBy: null,
    regionGroups: [],
  },
  ovh: {
    title: "OVHcloud",
    usualBalancer: "ovh-lb",
    isForStrategy: false,
    sharesBill: false,
    bundlesRulesBy: null,
    regionGroups: [],
  },
  alibaba: {
    title: "Alibaba Cloud",
    usualBalancer: "alibaba-slb",
    isForStrategy: false,
    sharesBill: false,
    bundlesRulesBy: null,
    regionGroups: [],
  },
  bunny: {
    title: "bunny.net",
    usualBalancer: null,
    isForStrategy: false,
    sharesBill: false,
    bundlesRulesBy: null,
    regionGroups: [],
  },
  own: {
    title: "your own",
    usualBalancer: null,
    isForStrategy: false,
    sharesBill: false,
    bundlesRulesBy: null,
    regionGroups: [],
  },
} as const satisfies Record<string, ProviderFacts>;

export type Provider = keyof typeof providers;
export const providerNames = Object.keys(providers) as [Provider, ...Provider[]];

/** The providers that the strategy cloud supports. */
export type StrategyProvider = {
  [Name in Provider]: (typeof providers)[Name]["isForStrategy"] extends true ? Name : never;
}[Provider];
const isForStrategy = (name: Provider): name is StrategyProvider => providers[name].isForStrategy;
export const strategyProviders = providerNames.filter(isForStrategy);
