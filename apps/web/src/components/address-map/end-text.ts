/** endText spells an address and a port as one: IPv6 needs brackets, or its last group would read as the port. */
export function endText(address: string, port: number): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
