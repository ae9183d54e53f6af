/** withoutMask drops the full-length mask with which PostgreSQL may spell a single address. */
export function withoutMask(address: string): string {
  return address.replace(/\/(32|128)$/, "");
}
