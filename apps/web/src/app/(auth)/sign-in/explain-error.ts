const sentences: Record<string, string> = {
  "unverified-email": "Your provider has not verified your email address. Verify it there, then try again.",
  "other-domain":
    "That provider is not allowed to sign in your email domain. Use another account there, or your password.",
  "other-account": "This provider can't open the account with your email address. Use your password.",
  "not-a-member": "You are not a member of that organisation. Ask an owner for an invitation.",
  NOT_A_MEMBER: "You are not a member of any organisation. Ask an owner for an invitation.",
  access_denied: "The provider reports that you declined, or that you are not allowed to use Fairlead.",
  invalid_state: "The provider's settings changed while you signed in. Try again.",
  state_mismatch: "The sign-in took too long, or started in another window. Start again.",
  state_not_found: "The sign-in did not start in this browser. Start again.",
};
const providerFailed =
  "Unexpected response from the identity provider. Try again. If it keeps failing, ask an owner to check its settings.";

/** explainError translates the error code in the URL of the sign-in page. Only our own texts are shown. */
export function explainError(code: string | undefined): string | null {
  if (!code) return null;
  return Object.hasOwn(sentences, code) ? (sentences[code] ?? null) : providerFailed;
}
