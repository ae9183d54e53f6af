import type { MarkedToken, Token } from "marked";
import { parseFlow } from "./flow.ts";

const blocks: readonly string[] = ["paragraph", "list", "code", "table", "blockquote"];

/** The library's type of a token also allows those of extensions, of which there are none. */
export function knownTokens(tokens: readonly Token[] | undefined): readonly MarkedToken[] {
  return (tokens ?? []) as readonly MarkedToken[];
}

/** plainText returns the text of tokens without their markup. */
export function plainText(tokens: readonly Token[] | undefined): string {
  const texts = knownTokens(tokens).map((token) =>
    blocks.includes(token.type) ? ` ${textOf(token)} ` : textOf(token),
  );
  return texts.join("").replace(/\s+/g, " ");
}

function textOf(token: MarkedToken): string {
  switch (token.type) {
    case "table":
      return [token.header, ...token.rows].flatMap((row) => row.map((cell) => plainText(cell.tokens))).join(" ");
    case "list":
      return token.items.map((item) => plainText(item.tokens)).join(" ");
    case "space":
    case "html":
    case "hr":
    case "checkbox":
    case "def":
      return "";
    case "br":
      return " ";
    case "code":
      return flowText(token.text) ?? token.text;
    case "codespan":
    case "escape":
      return token.text;
    default:
      return "tokens" in token && token.tokens ? plainText(token.tokens) : token.text;
  }
}

function flowText(text: string): string | null {
  const flow = parseFlow(text);
  return flow ? flow.edges.map((edge) => `${edge.from} ${edge.text} ${edge.to}`).join(", ") : null;
}
