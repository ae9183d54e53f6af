"use client";
import { useState } from "react";
import { classNames } from "./class-names.ts";

/** Three or four lines. A longer text is nearly always the output of a program. */
const longest = 320;

/** A message from an agent or another system. Of a long one, only the start, until the user wants all of it. */
export function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const start = startOf(text);
  if (start === text) return <span className="break-words">{text}</span>;
  return (
    <span className={classNames("break-words", isWhole && "whitespace-pre-wrap")}>
      {isWhole ? text : `${start}…`}{" "}
      <button
        type="button"
        aria-expanded={isWhole}
        className="whitespace-nowrap text-accent underline-offset-2 hover:underline"
        onClick={() => setWhole(!isWhole)}
      >
        {isWhole ? "Show less" : "Show all"}
      </button>
    </span>
  );
}

/** startOf returns what is shown of a text: all of it, or its start up to a space. */
export function startOf(text: string): string {
  if (text.length <= longest) return text;
  const space = text.lastIndexOf(" ", longest);
  // A text without spaces, such as a key, is cut anywhere, but not within a character of two code units.
  return space > longest / 2 ? text.slice(0, space) : text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
}
