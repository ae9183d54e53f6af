import { hkdfSync, randomBytes } from "node:crypto";
import type { SecretBox } from "../secret/index.ts";

const secretBytes = 64;
const nameBytes = 16;

/** sealTicketSecret creates the secret of an epoch of ticket keys. Servers use as many of its bytes as they need. */
export function sealTicketSecret(box: Pick<SecretBox, "seal">): string {
  return box.seal(randomBytes(secretBytes).toString("base64"));
}

export function openTicketSecret(box: Pick<SecretBox, "open">, sealed: string): Buffer {
  return Buffer.from(box.open(sealed), "base64");
}

/**
 * ticketName returns the name of a server's key, with which its tickets start. It is derived, so that a server that is added
 * needs no new secret. It reveals nothing about the secret. Servers in pods have a second one, the mark.
 */
export function ticketName(secret: Uint8Array, server: string, { isMark = false }: { isMark?: boolean } = {}): Buffer {
  const what = isMark ? "mark" : "name";
  return Buffer.from(hkdfSync("sha256", secret, "", `fairlead ticket ${what} ${server}`, nameBytes));
}
