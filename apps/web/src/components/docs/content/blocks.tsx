import type { MarkedToken, Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { classNames } from "../../ui/class-names.ts";
import { parseFlow } from "./flow.ts";
import { FlowPicture } from "./flow-picture.tsx";
import { DocsHeading } from "./heading.tsx";
import { Inline, type ResolveLink } from "./inline.tsx";
import type { DocsBlock } from "./parse-page.ts";
import { knownTokens, plainText } from "./plain-text.ts";

/** The blocks of a page: headings with anchors, text, lists, tables and code. */
export function Blocks({ blocks, resolve }: { blocks: readonly DocsBlock[]; resolve: ResolveLink }) {
  return blocks.map(({ token, id }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page never change
    <Fragment key={index}>{block(token, id, resolve)}</Fragment>
  ));
}

function block(token: MarkedToken, id: string | null, resolve: ResolveLink): ReactNode {
  switch (token.type) {
    case "heading":
      return (
        <DocsHeading id={id} depth={token.depth}>
          <Inline tokens={token.tokens} resolve={resolve} />
        </DocsHeading>
      );
    case "paragraph":
      return (
        <p className="my-3">
          <Inline tokens={token.tokens} resolve={resolve} />
        </p>
      );
    case "list":
      return <List list={token} resolve={resolve} />;
    case "table":
      return <Table table={token} resolve={resolve} />;
    case "code":
      return <Code code={token} />;
    case "blockquote":
      return (
        <blockquote className="my-3 border-l-2 pl-4 text-muted">
          <Nested tokens={token.tokens} resolve={resolve} />
        </blockquote>
      );
    case "hr":
      return <hr className="my-6" />;
    case "space":
    case "def":
      return null;
    default:
      return <Inline tokens={[token]} resolve={resolve} />;
  }
}

function Nested({ tokens, resolve }: { tokens: readonly Token[]; resolve: ResolveLink }) {
  return <Blocks blocks={knownTokens(tokens).map((token) => ({ token, id: null }))} resolve={resolve} />;
}

function List({ list, resolve }: { list: Tokens.List; resolve: ResolveLink }) {
  const Kind = list.ordered ? "ol" : "ul";
  return (
    <Kind
      {...(typeof list.start === "number" && list.start !== 1 ? { start: list.start } : {})}
      className={classNames("my-3 flex flex-col gap-1.5 pl-6", list.ordered ? "list-decimal" : "list-disc")}
    >
      {list.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list never change
        <li key={index} className="pl-1 marker:text-muted">
          <Nested tokens={item.tokens} resolve={resolve} />
        </li>
      ))}
    </Kind>
  );
}

function Table({ table, resolve }: { table: Tokens.Table; resolve: ResolveLink }) {
  const align = (index: number) => (table.align[index] === "right" ? "text-right tabular" : "text-left");
  return (
    <Scrolled label={`Table: ${table.header.map((cell) => plainText(cell.tokens)).join(", ")}`}>
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b">
            {table.header.map((cell, index) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table never change
                key={index}
                scope="col"
                className={classNames("py-1.5 pr-4 align-bottom font-medium", align(index))}
              >
                <Inline tokens={cell.tokens} resolve={resolve} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table never change
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table never change
                <td key={column} className={classNames("py-1.5 pr-4 align-top", align(column))}>
                  <Inline tokens={cell.tokens} resolve={resolve} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

function Code({ code }: { code: Tokens.Code }) {
  const flow = code.lang === "mermaid" ? parseFlow(code.text) : null;
  if (flow) return <FlowPicture flow={flow} />;
  return (
    <Scrolled label={`Code: ${code.text.split("\n")[0]}`} className="rounded-md border bg-surface px-3 py-2">
      <pre className="font-mono text-xs">{code.text}</pre>
    </Scrolled>
  );
}

function Scrolled({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    // A group and no region, because a page has many of them.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div role="group" tabIndex={0} aria-label={label} className={classNames("my-4 overflow-x-auto", className)}>
      {children}
    </div>
  );
}
