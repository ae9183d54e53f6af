import { type ReactNode, useId } from "react";
import { DocsLink } from "../../docs/docs-link.tsx";
import type { DocsTopic } from "../../docs/docs-topics.ts";

type Props = {
  title: string;
  docs: DocsTopic;
  className?: string;
  legendClassName: string;
  children: ReactNode;
};

/** A group of fields with a link to its paragraph. Screen readers name the group by its title alone, without the link. */
export function Fieldset({ title, docs, className, legendClassName, children }: Props) {
  const id = useId();
  return (
    <fieldset aria-labelledby={id} className={className}>
      <legend className={legendClassName}>
        <span id={id}>{title}</span> <DocsLink topic={docs} />
      </legend>
      {children}
    </fieldset>
  );
}
