type VariableFacts = {
  meaning: string;
  /** The effect of leaving it unset. */
  default: string;
  /** The programs that read it themselves. */
  passedTo: readonly ("controller" | "web")[];
};

/** The environment variables that users set for `npm start`. docs/reference/variables.md has a row for each. */
export const variables = {
  PORT: { meaning: "port of the dashboard", default: "3000", passedTo: [] },
  HOST: {
    meaning: "address that the dashboard and the gateway listen on; `0.0.0.0` allows other machines",
    default: "127.0.0.1",
    passedTo: [],
  },
  FAIRLEAD_URL: {
    meaning:
      "public URL of the dashboard, such as the `https://` name of a proxy. Browsers then use only HTTPS for it. Machines download the agent from it",
    default: "from `HOST` and `PORT`",
    passedTo: [],
  },
  FAIRLEAD_GATEWAY_URL: {
    meaning: "URL that agents on other machines connect to",
    default: "from `HOST` and the gateway's port",
    passedTo: [],
  },
  FAIRLEAD_GATEWAY_PORT: { meaning: "port of the gateway for agents", default: "7443, or a free port", passedTo: [] },
  FAIRLEAD_CONTROLLER_METRICS_PORT: {
    meaning: "loopback port of the controller's `/metrics`, `/healthz` and `/readyz`",
    default: "7444, or a free port",
    passedTo: [],
  },
  FAIRLEAD_DATA: {
    meaning: "folder for data, logs and secrets",
    default: "`~/.local/share/fairlead`; for root `/var/lib/fairlead`",
    passedTo: [],
  },
  FAIRLEAD_CACHE: {
    meaning:
      "folder for builds that checkouts share ([why](../decisions/0001-build-with-turbo.md)) and for test programs",
    default: "`~/.cache/fairlead`",
    passedTo: [],
  },
  DATABASE_URL: {
    meaning: "your own PostgreSQL, 15 or newer; 18 is tested",
    default: "embedded PostgreSQL 18",
    passedTo: [],
  },
  FAIRLEAD_LAB: {
    meaning: "`off` starts no lab; `on` always starts it",
    default: "started in a new product on Linux with the embedded PostgreSQL",
    passedTo: [],
  },
  FAIRLEAD_ADMIN_EMAIL: { meaning: "email address of the first owner", default: "created", passedTo: [] },
  FAIRLEAD_ADMIN_PASSWORD: { meaning: "password of the first owner", default: "created, printed once", passedTo: [] },
  FAIRLEAD_CALCULATOR: {
    meaning: "`members` closes the cost calculator to users who are not signed in",
    default: "open to all who reach the dashboard",
    passedTo: ["controller", "web"],
  },
  FAIRLEAD_TRUSTED_PROXIES: {
    meaning:
      "comma-separated proxy addresses or prefixes whose `X-Forwarded-For` is used. Address maps are bound to networks, and sign-in attempts, anonymous estimates and map readers are counted, by that client address. All clients of an unlisted proxy count as one ([guide](../guides/address-map.md))",
    default: "none: the address of the connection",
    passedTo: ["controller", "web"],
  },
  FAIRLEAD_ALLOWED_HOSTS: {
    meaning:
      "comma-separated host names that the dashboard serves, besides that of `FAIRLEAD_URL`, `localhost`, the machine's name and all addresses: for a proxy that sends a name of its own. Health checks may use any name",
    default: "none; other names get 421",
    passedTo: ["web"],
  },
  FAIRLEAD_SECRET: {
    meaning: "encrypts secrets in the database",
    default: "created once, stored in the data folder",
    passedTo: [],
  },
  FAIRLEAD_CLOUD_ENDPOINTS: {
    meaning:
      "comma-separated servers that a cloud endpoint may name although they are private or have no HTTPS, such as `https://vpce-….amazonaws.com`",
    default: "none",
    passedTo: ["controller", "web"],
  },
  FAIRLEAD_OIDC_ENDPOINTS: {
    meaning:
      "comma-separated servers that an identity provider may use although they are private or have no HTTPS, such as `https://login.corp.example`. List every server of its discovery document",
    default: "none",
    passedTo: ["web"],
  },
  FAIRLEAD_IN_CLUSTER: {
    meaning: "`on` lets members who may change clusters attach the cluster that the controller runs in",
    default: "off",
    passedTo: ["controller", "web"],
  },
  FAIRLEAD_PRICE_FEEDS: {
    meaning:
      "comma-separated feeds that are fetched every day: `aws,aws-machines,azure,gcp,oracle,hetzner` ([guide](../guides/costs.md))",
    default: "none: fetched on request",
    passedTo: ["controller"],
  },
  FAIRLEAD_PRICE_MIRRORS: {
    meaning: "comma-separated mirrors, such as `aws=https://mirror.example/aws`",
    default: "the providers' own URLs",
    passedTo: ["controller"],
  },
  FAIRLEAD_GCP_PRICE_KEY: {
    meaning: "API key for the feed `gcp`",
    default: "the feed is not available",
    passedTo: ["controller"],
  },
  FAIRLEAD_HETZNER_PRICE_TOKEN: {
    meaning: "read-only token for the feed `hetzner`",
    default: "the feed is not available",
    passedTo: ["controller"],
  },
} as const satisfies Record<string, VariableFacts>;

export type VariableName = keyof typeof variables;
export const variableNames = Object.keys(variables) as VariableName[];

/** Environment is what may be read: variables of users, the folder for user data, and Node's mode. */
export type Environment = { readonly [Name in VariableName | "XDG_DATA_HOME" | "NODE_ENV"]?: string | undefined };

/** variablesFor returns the variables that a program reads itself. */
export function variablesFor(program: "controller" | "web"): VariableName[] {
  return variableNames.filter((name) => {
    const { passedTo }: VariableFacts = variables[name];
    return passedTo.includes(program);
  });
}
