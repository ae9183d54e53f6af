"use server";
import { DomainError } from "@fairlead/domain";
import { changePassword as schema } from "@fairlead/domain/access";
import { changePassword } from "@fairlead/services";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { explainFailure } from "@/server/auth/explain-failure.ts";
import { createContext } from "@/server/context.ts";
import { type FormState, problemsOf, textOf } from "../form-state.ts";

export async function changeOwnPassword(_before: FormState, form: FormData): Promise<FormState> {
  const input = schema.safeParse({
    currentPassword: textOf(form, "currentPassword"),
    newPassword: textOf(form, "newPassword"),
  });
  if (!input.success) return { fields: problemsOf(input.error) };
  try {
    const api = createContext({ headers: await headers() });
    await changePassword({ ...api, ...(await api.identify()) }, input.data);
  } catch (error) {
    if (!(error instanceof DomainError)) return { message: explainFailure(error) };
    const [field] = error.fields;
    return field ? { fields: { [String(field.path[0])]: field.message } } : { message: error.message };
  }
  redirect("/password?changed=1");
}
