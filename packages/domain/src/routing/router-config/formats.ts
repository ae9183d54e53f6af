/** The role of the machine that a configuration is for. */
export const routerConfigRoles = ["router", "reflector", "speaker"] as const;
export type RouterConfigRole = (typeof routerConfigRoles)[number];

export const routerConfigFormats = ["frr", "bird", "junos", "eos", "ios-xr", "gobgp", "exabgp"] as const;
export type RouterConfigFormat = (typeof routerConfigFormats)[number];

/** The roles of each format. The first one is the default. */
export const rolesOfFormat: Record<RouterConfigFormat, readonly [RouterConfigRole, ...RouterConfigRole[]]> = {
  frr: ["router", "reflector"],
  bird: ["router"],
  junos: ["router"],
  eos: ["router"],
  "ios-xr": ["router"],
  gobgp: ["speaker"],
  exabgp: ["speaker"],
};

export const titleOfFormat: Record<RouterConfigFormat, string> = {
  frr: "FRR",
  bird: "BIRD",
  junos: "Junos",
  eos: "Arista EOS",
  "ios-xr": "Cisco IOS XR",
  gobgp: "GoBGP",
  exabgp: "ExaBGP",
};
