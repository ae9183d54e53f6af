const prefixLength = /(?:\/\d{1,3})?/.source;
const four = /\d{1,3}(?:\.\d{1,3}){3}/.source;
/** With :: or with all groups: a port followed by a colon is no address. */
const six = /(?:[0-9a-f:]*::|(?:[0-9a-f]{1,4}:){6,7})(?:[0-9a-f:.]*[0-9a-f])?/.source;
/** The last label starts with a letter: a version or a number with a decimal point is no host name. */
const hostName = /[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]+/.source;
const anyAddress = new RegExp(`(?:${six}|${four})${prefixLength}|${hostName}`, "gi");

/** hideAddresses replaces all IP addresses, prefixes and host names in a text. */
export function hideAddresses(text: string): string {
  return text.replace(anyAddress, "[address]");
}
