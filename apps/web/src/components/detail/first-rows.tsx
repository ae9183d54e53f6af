"use client";
import { type ReactNode, useState } from "react";
import { ShowMore } from "../ui/layout/show-more.tsx";

/** The first rows of a list, with a button that shows the others. */
export function FirstRows<Row>(props: {
  rows: Row[] | undefined;
  first: number;
  children: (shown: Row[] | undefined) => ReactNode;
}) {
  const [all, setAll] = useState(false);
  const { rows, first } = props;
  return (
    <>
      {props.children(all ? rows : rows?.slice(0, first))}
      <ShowMore total={rows?.length ?? 0} first={first} all={all} onChange={setAll} />
    </>
  );
}
