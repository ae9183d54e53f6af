// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by transform, which takes their roles from table elements
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid alone has the focus and names its active row
import type { ComponentProps } from "react";

// The parts of an ARIA grid. Screen readers announce a table. The grid handles the keyboard.

export function Grid(props: ComponentProps<"div">) {
  return <div role="grid" tabIndex={0} {...props} />;
}

export function GridRows(props: ComponentProps<"div">) {
  return <div role="rowgroup" {...props} />;
}

export function GridRow(props: ComponentProps<"div">) {
  return <div role="row" {...props} />;
}

export function GridCell(props: ComponentProps<"div">) {
  return <div role="gridcell" {...props} />;
}

export function GridHeader(props: ComponentProps<"div">) {
  return <div role="columnheader" {...props} />;
}
