const label = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?";

/** hostName is one or more labels, as resolvers accept them: underscores occur in names of services and pods. */
export const hostName = new RegExp(`^${label}(\\.${label})*$`);
export const longestHostName = 253;
