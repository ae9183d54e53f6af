import { isSetUp } from "@fairlead/services";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { db } from "@/server/db.ts";
import { AuthForm } from "../auth-form.tsx";
import { setUp } from "./actions.ts";

export const metadata: Metadata = { title: "Set up" };

export default async function SetUpPage() {
  if (await isSetUp(db())) redirect("/sign-in");
  return (
    <>
      <h1 className="mb-2 font-semibold text-xl">Set up Fairlead</h1>
      <p className="mb-5 text-muted text-sm">
        There are no accounts yet. This creates the first owner, who can invite others.
      </p>
      <AuthForm
        action={setUp}
        fields={[
          { name: "name", label: "Your name", autoComplete: "name" },
          { name: "email", label: "Email", type: "email", autoComplete: "username" },
          {
            name: "password",
            label: "Password",
            type: "password",
            autoComplete: "new-password",
            hint: "At least 8 characters. A few words are easy to remember and hard to guess.",
          },
        ]}
        submit="Create owner account"
      />
    </>
  );
}
