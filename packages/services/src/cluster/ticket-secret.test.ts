import { expect, it } from "vitest";
import { sessionKeysBox } from "./session-keys-box.ts";
import { openTicketSecret, sealTicketSecret, ticketName } from "./ticket-secret.ts";

const box = sessionKeysBox("a-secret-of-thirty-two-characters!");

it("derives another name for each server and each secret, always the same one", () => {
  const [one, two] = [Buffer.alloc(64, 1), Buffer.alloc(64, 2)];
  expect(ticketName(one, "web-1").toString("hex")).toBe("67965d4946e65bc20d2663745851e211");
  const names = [ticketName(one, "web-1"), ticketName(one, "web-2"), ticketName(two, "web-1")];
  expect(new Set(names.map((each) => each.toString("hex"))).size).toBe(3);
});

it("creates a new secret each time, sealed", () => {
  const [first, second] = [sealTicketSecret(box), sealTicketSecret(box)];
  expect(openTicketSecret(box, first)).toHaveLength(64);
  expect(openTicketSecret(box, first).equals(openTicketSecret(box, second))).toBe(false);
});
