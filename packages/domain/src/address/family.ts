// What can be read off an address without parsing it. No schema is here, so that a page that shows addresses loads none.

export type Family = 4 | 6;

/** isSix tells the families of two addresses, or prefixes, apart that are right. */
export function isSix(address: string): boolean {
  return address.includes(":");
}

export function familyOf(address: string): Family {
  return isSix(address) ? 6 : 4;
}

/** addressBits is how long an address is, and so the longest prefix. */
export function addressBits(family: Family): number {
  return family === 4 ? 32 : 128;
}

/** hostPrefix is the prefix that holds one address. */
export function hostPrefix(address: string): string {
  return `${address}/${addressBits(familyOf(address))}`;
}

/** bracketed writes an address as the host of a URL: IPv6 needs brackets, or its last group would read as the port. */
export function bracketed(address: string): string {
  return isSix(address) ? `[${address}]` : address;
}

export function formatEndpoint(address: string, port: number): string {
  return `${bracketed(address)}:${port}`;
}
