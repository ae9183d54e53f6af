const sentences: Record<string, string> = {
  "unverified-email":
    "Your provider has not verified your e-mail address, so it can't show who you are. Verify it there, then try again.",
  "other-domain": "That provider may not speak for your e-mail domain. Use another account there, or your password.",
  "other-account": "Your e-mail address belongs to an account that this provider may not open. Use your password.",
  "not-a-member": "You are not a member of that organisation. Ask an owner for an invitation.",
  NOT_A_MEMBER: "You are not a member of any organisation. Ask an owner for an invitation.",
  access_denied: "The provider says that you declined, or that you may not use Fairlead.",
  invalid_state: "The provider was changed while you signed in. Try again.",
  state_mismatch: "That sign-in took too long, or began in another window. Start again.",
  state_not_found: "That sign-in did not begin here. Start again.",
};
const providerFailed =
  "The identity provider did not answer as it should. Try again; if it stays so, an owner has to look at its settings.";

/** explainError says in a sentence what the code in the address of the sign-in page stands for. Only our own words appear. */
export function explainError(code: string | undefined): string | null {
  if (!code) return null;
  return Object.hasOwn(sentences, code) ? (sentences[code] ?? null) : providerFailed;
}
