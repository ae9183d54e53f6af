export const railCookie = "fairlead_rail";
