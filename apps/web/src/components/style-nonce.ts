import { setNonce } from "get-nonce";

/**
 * allowOwnStyles gives the nonce of this page to the library under the dialogs that adds a style sheet of its own
 * (it keeps the page behind from scrolling). Without it the content security policy refuses that sheet.
 */
export function allowOwnStyles(nonce: string | undefined): void {
  // The server serves many pages, each with its own.
  if (nonce && typeof window !== "undefined") setNonce(nonce);
}
