import type { Permission } from "@fairlead/domain/access";

const readable: [Permission, string][] = [
  ["exposure:read", "exposures"],
  ["cluster:read", "clusters"],
  ["node:read", "nodes"],
  ["address-pool:read", "address-pools"],
  ["event:read", "events"],
];

/** curlExample is a command that works with the key: it reads something that the key is allowed to read. */
export function curlExample(url: string, key: string, scopes: Permission[]): string {
  const path = readable.find(([permission]) => scopes.includes(permission))?.[1] ?? "session";
  return `curl -H "Authorization: Bearer ${key}" ${new URL(`/api/v1/${path}`, url).href}`;
}
