"use client";
import type { Attention, AttentionList as Listed } from "@fairlead/domain/attention";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { statusLooks } from "@/components/ui/status/status.ts";
import { StatusBadge, StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Lasting } from "@/components/ui/time/lasting.tsx";
import { count } from "@/components/words/numbers.ts";
import { subjectHref, subjectWords } from "@/components/words/subjects.ts";
import { type AttentionGroup, groupAttention } from "./group-attention.ts";

/** More of a kind are shown on request, so that many of one kind don't hide another. */
const shownOfKind = 3;

/** What has been wrong for over a minute, worst first, each with the action that fixes it. */
export function AttentionList({ listed }: { listed: Listed }) {
  if (listed.items.length === 0)
    return (
      <p className="flex items-center gap-2 py-2 text-sm">
        <StatusGlyph shape="disc" className="text-good" />
        All clear. What is wrong for over a minute is listed here.
      </p>
    );
  return (
    <ul className="text-sm">
      {groupAttention(listed).map((group) => (
        <Group key={group.kind} group={group} />
      ))}
    </ul>
  );
}

function Group({ group: { items, total, list } }: { group: AttentionGroup }) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, shownOfKind);
  return (
    <>
      {shown.map((item) => (
        <Row key={item.id} item={item} />
      ))}
      {items.length > shownOfKind ? (
        <li className="flex items-center gap-3 border-b py-2 last:border-b-0 md:pl-48">
          <Button size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${items.length - shownOfKind} more`}
          </Button>
          {total > items.length ? (
            <TextLink href={list} className="text-accent">
              All {count(total)}
            </TextLink>
          ) : null}
        </li>
      ) : null}
    </>
  );
}

function Row({ item }: { item: Attention }) {
  const { severity, word, subjectKind, subjectId, subjectName, clusterId, clusterName, action } = item;
  const href = subjectHref(subjectKind, subjectId);
  const { shape, tone, word: urgency } = statusLooks[severity];
  return (
    <li className="grid gap-x-4 gap-y-1 border-b py-2 last:border-b-0 md:grid-cols-[11rem_minmax(0,1fr)_auto]">
      <div>
        <span className="sr-only">{urgency}: </span>
        <StatusBadge status={{ shape, tone, word }} className="font-medium" />
      </div>
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-2">
          {href ? (
            <Link href={href} className="break-words font-medium hover:underline">
              {subjectName}
            </Link>
          ) : (
            <span className="font-medium">{subjectName}</span>
          )}
          <span className="text-muted text-xs">
            {inSentence(subjectWords[subjectKind])}
            {clusterName && clusterId !== subjectId ? ` in ${clusterName}` : ""}
          </span>
          <Lasting at={item.since} />
        </div>
        <p className="break-words text-muted">
          <LongText text={item.message} />
        </p>
      </div>
      {action ? (
        <div className="py-0.5">
          <Button asChild size="sm">
            <Link href={action.path} aria-label={`${action.label}: ${subjectName}`}>
              {action.label}
            </Link>
          </Button>
        </div>
      ) : null}
    </li>
  );
}

/** Words of capital letters stay: "API key". */
function inSentence(words: string): string {
  return words.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}
