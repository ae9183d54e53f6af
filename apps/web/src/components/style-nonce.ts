import { setNonce } from "get-nonce";

/**
 * allowOwnStyles passes the nonce of this page to the dialog library, which adds its own style sheet (to stop the page
 * behind from scrolling). The content security policy blocks that sheet otherwise.
 */
export function allowOwnStyles(nonce: string | undefined): void {
  // The server renders many pages, each with its own nonce.
  if (nonce && typeof window !== "undefined") setNonce(nonce);
}
