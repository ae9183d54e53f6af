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

/** The delivery with which connections are placed by TLS session. */
export const sessionDelivery = {
  title: "Automatic",
  summary:
    "Direct in a lab. In Kubernetes GUE, and the fallback (proxy or NAT) until the agent of a pod's node can pass connections on by TLS session.",
};

/** What carries connections while no backend takes them by TLS session. */
export const sessionFallbackWords = {
  "proxy, plain": {
    title: "Proxy, then plain layer 4",
    summary:
      "Each replica reads the ClientHello and connects the client to the backend of its session, so clients still return. Backends see the replica's address. Connections end when the exposure changes to the proxy, or back.",
  },
  plain: { title: "Plain layer 4", summary: "Each connection is placed on its own, so clients don't return." },
} as const;

/** Whether clients return by ticket. */
export const ticketWords = {
  learned: {
    title: "Learned",
    summary:
      "Replicas connect to each server as a client, and read the name of its ticket key. Needed for TLS 1.3, and for tickets of TLS 1.2.",
  },
  managed: {
    title: "Managed",
    summary:
      "The control plane creates the ticket keys and rotates them, and the agent next to each server gives it the keys. Another server can resume a session, unless they run Node.js.",
  },
  off: { title: "Off", summary: "Clients return only by session ids of TLS 1.2." },
} as const;

/** Whether clients return by session id. */
export const sessionIdWords = {
  on: { title: "On", summary: "The agent next to each server reads new ids, and sends them to all replicas." },
  off: { title: "Off", summary: "Clients of TLS 1.2 return only by ticket." },
} as const;
