import type { Permission } from "@fairlead/domain";

const readable: [Permission, string][] = [
  ["exposure:read", "exposures"],
  ["cluster:read", "clusters"],
  ["node:read", "nodes"],
  ["pool:read", "address-pools"],
  ["event:read", "events"],
];

/** curlExample is a line that works with the key as it is: it reads something that the key may read. */
export function curlExample(url: string, key: string, scopes: Permission[]): string {
  const path = readable.find(([permission]) => scopes.includes(permission))?.[1] ?? "session";
  return `curl -H "Authorization: Bearer ${key}" ${new URL(`/api/v1/${path}`, url).href}`;
}
