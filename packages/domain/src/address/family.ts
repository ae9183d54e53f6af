// Functions that work on the text of an address. Without a schema, so that pages which show addresses don't load zod.

export type Family = 4 | 6;

/** isSix reports whether a valid address or prefix is IPv6. */
export function isSix(address: string): boolean {
  return address.includes(":");
}

export function familyOf(address: string): Family {
  return isSix(address) ? 6 : 4;
}

/** addressBits is the length of an address, and so of the longest prefix. */
export function addressBits(family: Family): number {
  return family === 4 ? 32 : 128;
}

/** hostPrefix is the prefix of a single address. */
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
