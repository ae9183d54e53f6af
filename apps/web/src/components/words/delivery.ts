// What forms offer besides the engines, deliveries and schedulers of the catalogues.

export const bestEngine = {
  title: "Automatic",
  summary: "The best that each host supports, in this order.",
};

export const bestDelivery = { title: "Automatic", summary: "The best that the engine supports for these ports." };

export const ownScheduler = { title: "Automatic", summary: "mh, so that every replica selects the same instance." };

/** Whether a proxy passes the client's address to instances. */
export const clientAddressWords = {
  "not-passed": { title: "Not passed", summary: "Instances see the replica's address instead of the client's." },
  "proxy-protocol": {
    title: "PROXY v2",
    summary:
      "The PROXY protocol header of each TCP connection contains the client's address. Instances must support it.",
  },
} as const;

/** Whether replicas measure which client networks send the most. */
export const clientSamplingWords = {
  off: { title: "Off", summary: "The traffic of all clients is one figure." },
  on: {
    title: "On",
    summary:
      "Each replica reads up to about 1000 packets a second, at random, and reports the networks that send the most.",
  },
} as const;
