import type { MarkedToken, Token } from "marked";
import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { knownTokens } from "./plain-text.ts";
import type { DocsLink } from "./resolve-link.ts";

export type ResolveLink = (href: string) => DocsLink;

/** Text with its markup. HTML is never inserted: what has no rule here is shown as text. */
export function Inline({ tokens, resolve }: { tokens: readonly Token[] | undefined; resolve: ResolveLink }) {
  return knownTokens(tokens).map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page never changes
    <Fragment key={index}>{inline(token, resolve)}</Fragment>
  ));
}

function inline(token: MarkedToken, resolve: ResolveLink): ReactNode {
  const inner = (tokens: readonly Token[]) => <Inline tokens={tokens} resolve={resolve} />;
  switch (token.type) {
    case "strong":
      return <strong className="font-semibold">{inner(token.tokens)}</strong>;
    case "em":
      return <em>{inner(token.tokens)}</em>;
    case "del":
      return <del>{inner(token.tokens)}</del>;
    case "codespan":
      return <code className="break-words rounded-sm bg-surface px-1 font-mono text-[0.8125em]">{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <DocsTextLink link={resolve(token.href)}>{inner(token.tokens)}</DocsTextLink>;
    case "html":
      return token.text.startsWith("<!--") ? null : token.text;
    default:
      return "tokens" in token && token.tokens ? inner(token.tokens) : "text" in token ? token.text : null;
  }
}

const linkStyle = "text-accent underline underline-offset-2 hover:text-accent-hover";

function DocsTextLink({ link, children }: { link: DocsLink; children: ReactNode }) {
  switch (link.kind) {
    case "page":
      return (
        <Link href={link.href} prefetch={false} className={linkStyle}>
          {children}
        </Link>
      );
    case "web":
      return (
        <a href={link.href} rel="noreferrer" className={linkStyle}>
          {children}
        </a>
      );
    case "file":
      return (
        <>
          {children} (<code className="break-words font-mono text-[0.8125em]">{link.file}</code>)
        </>
      );
    default:
      return link satisfies never;
  }
}
