/** Every id starts with its kind, so that an id of the wrong kind is easy to see and is rejected by validation. */
export const idPrefixes = {
  organization: "org",
  user: "usr",
  member: "mem",
  invitation: "inv",
  apiKey: "key",
  identityProvider: "idp",
  auditEntry: "aud",
  cluster: "clu",
  node: "node",
  agent: "agt",
  enrollmentToken: "enr",
  exposure: "exp",
  loadBalancer: "lb",
  instance: "ins",
  inventoryItem: "itm",
  replica: "rep",
  backend: "bak",
  addressPool: "pool",
  virtualAddress: "addr",
  addressMapping: "map",
  addressMappingChange: "mch",
  bgpSession: "bgp",
  bgpTransition: "btr",
  announcement: "ann",
  route: "rte",
  routeUpdate: "upd",
  experiment: "exm",
  experimentStep: "exs",
  move: "mov",
  moveStep: "mvs",
  cloudAddress: "cad",
  pricePoint: "prc",
  priceRefresh: "rfr",
  heldPrice: "hpr",
  negotiatedPrice: "neg",
  ownMachine: "mac",
  currencyRate: "rat",
  budget: "bud",
  event: "evt",
} as const;

export type ObjectKind = keyof typeof idPrefixes;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** newId creates an id that sorts by time of creation: 48 bits of milliseconds, 80 random bits. */
export function newId(kind: ObjectKind, now: Date = new Date()): string {
  let time = now.getTime();
  let head = "";
  for (let i = 0; i < 10; i++) {
    head = alphabet.charAt(time % 32) + head;
    time = Math.floor(time / 32);
  }
  let tail = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) tail += alphabet.charAt(byte % 32);
  return `${idPrefixes[kind]}_${head}${tail}`;
}

/** isId reports whether a text has the form of an id of that kind. */
export function isId(kind: ObjectKind, text: string): boolean {
  return idPattern(kind).test(text);
}

export function idPattern(kind: ObjectKind): RegExp {
  return new RegExp(`^${idPrefixes[kind]}_[0-9a-z]{1,40}$`);
}
