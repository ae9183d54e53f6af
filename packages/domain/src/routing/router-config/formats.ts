/** What a text makes of the machine that it is loaded into. */
export const routerConfigRoles = ["router", "reflector", "speaker"] as const;
export type RouterConfigRole = (typeof routerConfigRoles)[number];

export const routerConfigFormats = ["frr", "bird", "junos", "eos", "ios-xr", "gobgp", "exabgp"] as const;
export type RouterConfigFormat = (typeof routerConfigFormats)[number];

/** What a format is written as: the first where nobody says. */
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
