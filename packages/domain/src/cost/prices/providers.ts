/** A name that a provider's price list has for several of its regions. */
export type RegionGroup = { name: string; has: { test: (region: string) => boolean } };

type ProviderFacts = {
  title: string;
  /** The offer that the provider's own controller creates for a Service that asks for a load balancer. */
  usualBalancer: string | null;
  /** Whether the strategy cloud can name it. */
  isForStrategy: boolean;
  /** Whether it counts the rules of balancers together, or gives some of what they use for free. */
  sharesBill: boolean;
  /** What counts as a rule where the rules of all balancers of a cluster are on one bill: Google's are those of a project. */
  bundlesRulesBy: "protocols" | "ports" | null;
  /** Groups of regions that it sets one price for. */
  regionGroups: readonly RegionGroup[];
};

/** Oracle names regions by cities, as us-ashburn-1; us-east-1 is another's. */
const inCity = (area: RegExp) => ({
  test: (region: string) => area.test(region) && !/-(central|((north|south)?(east|west))|north|south)-/.test(region),
});

/** Whose prices are compared, and who can run load balancers. */
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

/** What the strategy cloud can name. */
export type StrategyProvider = {
  [Name in Provider]: (typeof providers)[Name]["isForStrategy"] extends true ? Name : never;
}[Provider];
const isForStrategy = (name: Provider): name is StrategyProvider => providers[name].isForStrategy;
export const strategyProviders = providerNames.filter(isForStrategy);
