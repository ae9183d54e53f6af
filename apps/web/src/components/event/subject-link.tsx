import type { SubjectKind } from "@fairlead/domain/event";
import { TextLink } from "../ui/action/text-link.tsx";
import { subjectHref, subjectWords } from "../words/subjects.ts";

/** The subject of an event: its kind and name, linked if it has a page. */
export function SubjectLink({
  kind,
  id,
  name,
  tabIndex,
}: {
  kind: SubjectKind;
  id: string;
  name: string;
  tabIndex?: number;
}) {
  const href = subjectHref(kind, id);
  const tab = tabIndex === undefined ? {} : { tabIndex };
  return (
    <span>
      <span className="text-muted">{subjectWords[kind]}</span>{" "}
      {href ? (
        <TextLink href={href} {...tab}>
          {name}
        </TextLink>
      ) : (
        name
      )}
    </span>
  );
}
