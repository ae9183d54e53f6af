"use client";
import type { AuditEntry } from "@fairlead/domain/access";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Actor } from "@/components/audit/actor.tsx";
import { FieldChanges } from "@/components/audit/field-changes.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { Button } from "../ui/action/button.tsx";
import { Link } from "../ui/action/link.tsx";
import { Section } from "../ui/layout/section.tsx";
import { ShowMore } from "../ui/layout/show-more.tsx";
import { Skeleton } from "../ui/layout/skeleton.tsx";
import { Age } from "../ui/time/age.tsx";
import { type Version, versionsOf } from "./versions.ts";

const firstRows = 10;

type Props<Spec> = {
  subjectId: string;
  read: (stored: unknown) => Spec | null;
  hint?: string;
  /** What other actions did, by their names in the audit log: they are shown between the versions. */
  others?: Readonly<Record<string, string>>;
  /** What can be done with a version that is not the current one. */
  actions: (version: Version<Spec>) => ReactNode;
};

/** The versions of an object's spec: who changed what, from the audit log. Only for users who may read that. */
export function HistorySection<Spec>(props: Props<Spec>) {
  const may = useMay("audit:read");
  return may ? <Versions {...props} /> : null;
}

function Versions<Spec>({ subjectId, read, hint = "versions of the spec", others = {}, actions }: Props<Spec>) {
  const trpc = useTRPC();
  const [showsAll, setShowsAll] = useState(false);
  const query = useQuery(trpc.audit.list.queryOptions({ subjectId, limit: 200 }));
  const versions = query.data ? versionsOf(query.data.items, read) : undefined;
  const byId = new Map(versions?.map((each) => [each.id, each]));
  const rows = query.data?.items.filter(({ id, action }) => byId.has(id) || Object.hasOwn(others, action)) ?? [];
  return (
    <Section
      title="History"
      hint={hint}
      actions={
        <Link href={`/audit?subject=${subjectId}`} className="text-accent text-sm hover:underline">
          Audit log
        </Link>
      }
    >
      {query.error && !query.data ? (
        <p role="alert" className="py-2 text-sm">
          {problemOf(query.error).message}
        </p>
      ) : versions === undefined ? (
        <Skeleton className="h-16" />
      ) : rows.length === 0 ? (
        <p className="text-muted text-sm">No versions in the audit log.</p>
      ) : (
        <>
          <ol className="divide-y">
            {(showsAll ? rows : rows.slice(0, firstRows)).map((entry) => {
              const version = byId.get(entry.id);
              if (!version) return <OtherRow key={entry.id} entry={entry} text={others[entry.action] ?? ""} />;
              const isCurrent = version === versions[0];
              return <VersionRow key={entry.id} version={version} actions={isCurrent ? null : actions(version)} />;
            })}
          </ol>
          <ShowMore total={rows.length} first={firstRows} all={showsAll} onChange={setShowsAll} />
        </>
      )}
    </Section>
  );
}

function OtherRow({ entry: { at, actorKind, actorName }, text }: { entry: AuditEntry; text: string }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <Age at={at} className="min-w-16 text-muted" />
      <Actor kind={actorKind} name={actorName} />
      <span className="text-muted">{text}</span>
    </li>
  );
}

function VersionRow<Spec>({ version, actions }: { version: Version<Spec>; actions: ReactNode }) {
  const { at, actorKind, actorName, isFirst, changes } = version;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Age at={at} className="min-w-16 text-muted" />
        <Actor kind={actorKind} name={actorName} />
        <span className="text-muted">
          {isFirst ? "created it" : `changed ${countOf(changes.length, "field")}`}
          {actions === null ? ", the current version" : ""}
        </span>
        <span className="ml-auto flex items-center gap-2">
          {isFirst || changes.length === 0 ? null : (
            <Button size="sm" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? "Hide changes" : "Show changes"}
            </Button>
          )}
          {actions}
        </span>
      </div>
      {isOpen ? <FieldChanges changes={changes} /> : null}
    </li>
  );
}
