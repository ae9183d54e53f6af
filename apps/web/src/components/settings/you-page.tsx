"use client";
import { useSession } from "@/components/frame/session.tsx";
import { SignOutButton } from "@/components/frame/sign-out.tsx";
import { useSwitchOrganization } from "@/components/frame/use-switch-organization.ts";
import { Facts } from "@/components/table/facts.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { Link } from "../ui/action/link.tsx";
import { roleWords } from "./role-words.ts";

/** The signed-in user, the organisation, and the user's permissions. */
export function YouPage() {
  const { user, organization, organizations, permissions } = useSession();
  return (
    <div className="grid gap-8 lg:grid-cols-2">
      <Section title="Your session">
        <Facts
          rows={[
            ["Name", user?.name],
            ["Email", user?.email],
            [
              "Role",
              <div key="role">
                {organization.role}
                <p className="text-muted">{roleWords[organization.role]}</p>
              </div>,
            ],
            [
              "Permissions",
              <span key="may" className="flex flex-wrap gap-1">
                {permissions.map((permission) => (
                  <Badge key={permission}>{permission}</Badge>
                ))}
              </span>,
            ],
          ]}
        />
        <div className="flex flex-wrap gap-2 pt-4">
          <Button asChild>
            <Link href="/password">Change password</Link>
          </Button>
          <SignOutButton />
        </div>
      </Section>
      <Section title="Organisation">
        <Facts
          rows={[
            ["Name", organization.name],
            ["ID", <Mono key="id">{organization.id}</Mono>],
          ]}
        />
        {organizations.length > 1 ? <OtherOrganizations /> : null}
      </Section>
    </div>
  );
}

function OtherOrganizations() {
  const { organization, organizations } = useSession();
  const change = useSwitchOrganization();
  const others = organizations.filter((each) => each.id !== organization.id);
  return (
    <>
      <h3 className="pt-5 pb-1 font-medium text-sm">You are also a member of</h3>
      <ul className="divide-y text-sm">
        {others.map((each) => (
          <li key={each.id} className="flex items-center gap-3 py-1.5">
            <span className="min-w-0 flex-1 truncate">
              {each.name} <span className="text-muted">as {each.role}</span>
            </span>
            <Button size="sm" busy={change.isPending} onClick={() => change.mutate({ organizationId: each.id })}>
              Switch
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
