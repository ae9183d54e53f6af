import { setNonce } from "get-nonce";

let isAllowed = false;

/**
 * allowOwnStyles passes the nonce of this page to the dialog library, which adds its own style sheet (to stop the page
 * behind from scrolling). The content security policy blocks that sheet otherwise.
 */
export function allowOwnStyles(nonce: string | undefined): void {
  // The server renders many pages, each with its own nonce. A later nonce in a browser is that of another response, such as
  // the one to the sign-in: the policy of this document still has the first.
  if (!nonce || isAllowed || typeof window === "undefined") return;
  isAllowed = true;
  setNonce(nonce);
}
