import { createContext } from "react";

/** The part of a page that a form belongs to, also if a dialog shows the form elsewhere in the document. */
export const PanelContext = createContext<string | undefined>(undefined);
