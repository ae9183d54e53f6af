import type { AuditEntry } from "@fairlead/domain/access";
import { Bot, CircleQuestionMark, Cpu, KeyRound, User } from "lucide-react";

const looks = {
  user: { icon: User, word: "person" },
  "api-key": { icon: KeyRound, word: "API key" },
  agent: { icon: Bot, word: "agent" },
  system: { icon: Cpu, word: "Fairlead" },
  anonymous: { icon: CircleQuestionMark, word: "not signed in" },
} as const;

/** The actor: a user, an API key, an agent, Fairlead itself or an anonymous client. */
export function Actor({ kind, name }: { kind: AuditEntry["actorKind"]; name: string }) {
  const { icon: Icon, word } = looks[kind];
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 align-middle" title={word}>
      <Icon className="size-3.5 shrink-0 text-muted" aria-hidden />
      <span className="truncate">{name}</span>
      <span className="sr-only">({word})</span>
    </span>
  );
}
