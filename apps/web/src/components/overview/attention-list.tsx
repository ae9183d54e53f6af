"use client";
import type { Attention } from "@fairlead/domain/overview";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { statusLooks } from "@/components/ui/status/status.ts";
import { StatusGlyph, StatusMark } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { subjectHref, subjectWords } from "@/components/words/subjects.ts";
import { Link } from "../ui/action/link.tsx";

const firstShown = 6;

/** Problems that need attention, worst first, each with a link. */
export function AttentionList({ items, total }: { items: Attention[]; total: number }) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, firstShown);
  if (items.length === 0)
    return (
      <p className="flex items-center gap-2 py-2 text-sm">
        <StatusGlyph shape="disc" className="text-good" />
        All clear. Silent nodes, degraded exposures and full address pools are listed here.
      </p>
    );
  return (
    <>
      <ul className="text-sm">
        {shown.map((item) => (
          <AttentionRow key={`${item.reason} ${item.subjectId}`} item={item} />
        ))}
      </ul>
      {items.length > firstShown ? (
        <div className="flex items-center gap-3 pt-2 text-muted text-sm">
          <Button size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${items.length - firstShown} more`}
          </Button>
          {total > items.length ? `The ${items.length} most urgent of ${total}.` : null}
        </div>
      ) : null}
    </>
  );
}

function AttentionRow({ item }: { item: Attention }) {
  const look = statusLooks[item.severity];
  const href = subjectHref(item.subjectKind, item.subjectId);
  return (
    <li className="flex gap-2.5 border-b py-2 last:border-b-0">
      <StatusMark look={look} className="mt-1" />
      <div className="min-w-0 flex-1">
        <span className="sr-only">{look.word}: </span>
        {href ? (
          <Link href={href} className="font-medium hover:underline">
            {item.subjectName}
          </Link>
        ) : (
          <span className="font-medium">{item.subjectName}</span>
        )}
        <span className="ml-2 text-muted text-xs">{subjectWords[item.subjectKind].toLowerCase()}</span>
        {item.since ? <Age at={item.since} className="ml-2 text-muted text-xs" /> : null}
        <p className="text-muted">
          <LongText text={item.message} />
        </p>
      </div>
    </li>
  );
}
