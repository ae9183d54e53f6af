/** withoutMask removes the full-length mask that PostgreSQL may add to a single address. */
export function withoutMask(address: string): string {
  return address.replace(/\/(32|128)$/, "");
}
