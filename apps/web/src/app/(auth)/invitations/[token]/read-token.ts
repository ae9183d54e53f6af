import { invitationToken } from "@fairlead/domain/access";
import { type FormState, textOf } from "../../form-state.ts";

/**
 * readToken reads the hidden field with the last part of the invitation's link. Programs can send a form without it: that
 * is their mistake, not a fault to log.
 */
export function readToken(form: FormData): { token: string } | { refusal: FormState } {
  const token = invitationToken.safeParse(textOf(form, "token"));
  if (token.success) return { token: token.data };
  return { refusal: { message: "This is not an invitation link. Open the link from the invitation again." } };
}
