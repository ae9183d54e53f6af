"use client";
import { ChevronsUpDown } from "lucide-react";
import { Button } from "../ui/action/button.tsx";
import { Menu, MenuChoice, MenuLabel } from "../ui/overlay/menu.tsx";
import { useSession } from "./session.tsx";
import { useSwitchOrganization } from "./use-switch-organization.ts";

/** The current organisation. A menu only for users with several. */
export function OrganizationMenu() {
  const { organization, organizations } = useSession();
  const change = useSwitchOrganization();
  if (organizations.length < 2) return <span className="truncate px-2 font-medium text-sm">{organization.name}</span>;
  return (
    <Menu
      label="Organisation"
      align="start"
      trigger={
        <Button variant="quiet" size="sm" className="min-w-0 shrink text-sm" busy={change.isPending}>
          <span className="truncate">{organization.name}</span>
          <ChevronsUpDown className="text-muted" aria-hidden />
        </Button>
      }
    >
      <MenuLabel>Organisations</MenuLabel>
      {organizations.map((each) => (
        <MenuChoice
          key={each.id}
          checked={each.id === organization.id}
          onSelect={() => each.id !== organization.id && change.mutate({ organizationId: each.id })}
        >
          <span className="min-w-0 flex-1 truncate">{each.name}</span>
          <span className="text-muted text-xs">{each.role}</span>
        </MenuChoice>
      ))}
    </Menu>
  );
}
