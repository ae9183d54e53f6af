import {
  mostTicketHours,
  type SessionStrategy,
  sessionDefaults,
  sessionDeliveries,
  sessionNames,
  type TicketKeys,
  ticketSoftware,
} from "@fairlead/domain/exposure";
import { z } from "zod";
import { toNumber } from "./health-check-draft.ts";

/** The fields of the strategy session, as typed. "best" leaves the delivery to the control plane. */
export const sessionDraft = z.object({
  delivery: z.enum(["best", ...sessionDeliveries]),
  names: z.enum(sessionNames),
  serverNames: z.string(),
  ids: z.enum(["on", "off"]),
  ticketHours: z.string(),
  software: z.enum(ticketSoftware),
  folder: z.string(),
  socket: z.string(),
  secret: z.string(),
  rotateHours: z.string(),
  fallbacks: z.enum(["proxy, plain", "plain"]),
  sessionDrainSeconds: z.string(),
  drainSeconds: z.string(),
});
export type SessionDraft = z.infer<typeof sessionDraft>;

export function emptySession(): SessionDraft {
  const { names, ticketHours } = sessionDefaults;
  return {
    ...{ delivery: "best", names, serverNames: "", ids: "on", ticketHours: String(ticketHours) },
    ...{ software: "nginx", folder: "", socket: "", secret: "", rotateHours: "24" },
    ...{ fallbacks: "proxy, plain", sessionDrainSeconds: "", drainSeconds: "" },
  };
}

/** returnsByTicket reports whether the fields about tickets are shown. */
export function returnsByTicket({ names }: Pick<SessionDraft, "names">): boolean {
  return names !== "off";
}

/** draftOfSession fills the fields with an existing spec. */
export function draftOfSession(strategy: SessionStrategy): SessionDraft {
  const { delivery = "best", names, serverNames = [], ids, ticketHours, ticketKeys, fallbacks } = strategy;
  const {
    socket = "",
    secret = "",
    rotateHours,
    ...keys
  } = ticketKeys ?? { software: "nginx", folder: "", rotateHours: 24 };
  const { sessionDrainSeconds = "", drainSeconds = "" } = strategy;
  return {
    ...{ ...keys, socket, secret, rotateHours: String(rotateHours) },
    delivery,
    names,
    serverNames: serverNames.join(", "),
    ids: ids ? "on" : "off",
    ticketHours: String(ticketHours),
    fallbacks: fallbacks.includes("proxy") ? "proxy, plain" : "plain",
    sessionDrainSeconds: String(sessionDrainSeconds),
    drainSeconds: String(drainSeconds),
  };
}

/** toSession parses the fields. The domain schema validates the result. */
export function toSession(draft: SessionDraft): Omit<SessionStrategy, "type" | "replicas" | "poolId"> {
  const { delivery, names, ids } = draft;
  const serverNames = returnsByTicket(draft) ? splitNames(draft.serverNames) : [];
  return {
    ...(delivery === "best" ? {} : { delivery }),
    names,
    ...(serverNames.length > 0 ? { serverNames } : {}),
    ids: ids === "on",
    ticketHours: hoursOf(draft),
    ...(names === "managed" ? { ticketKeys: toTicketKeys(draft) } : {}),
    fallbacks: draft.fallbacks === "plain" ? ["plain"] : ["proxy", "plain"],
    ...(draft.sessionDrainSeconds.trim() ? { sessionDrainSeconds: toNumber(draft.sessionDrainSeconds) } : {}),
    ...(draft.drainSeconds.trim() ? { drainSeconds: toNumber(draft.drainSeconds) } : {}),
  };
}

function toTicketKeys({ software, folder, socket, secret, rotateHours }: SessionDraft): TicketKeys {
  const hasSocket = software === "haproxy" && socket.trim() !== "";
  return {
    ...{ software, folder: folder.trim() },
    ...(hasSocket ? { socket: socket.trim() } : {}),
    ...(secret.trim() === "" ? {} : { secret: secret.trim() }),
    rotateHours: toNumber(rotateHours),
  };
}

/** The lifetime has no effect without tickets, so then an invalid one doesn't block the form. */
function hoursOf(draft: SessionDraft): number {
  const hours = toNumber(draft.ticketHours);
  const isValid = Number.isInteger(hours) && hours >= 1 && hours <= mostTicketHours;
  return isValid || returnsByTicket(draft) ? hours : sessionDefaults.ticketHours;
}

function splitNames(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
