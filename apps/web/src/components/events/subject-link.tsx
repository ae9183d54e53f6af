import type { SubjectKind } from "@fairlead/domain";
import { TextLink } from "../ui/text-link.tsx";
import { subjectHref, subjectWords } from "../words/subjects.ts";

/** The object that something happened to: its kind and its name, linked where it has a page. */
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
