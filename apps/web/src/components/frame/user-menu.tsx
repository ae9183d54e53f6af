"use client";
import { Keyboard, KeyRound, LogOut, Settings } from "lucide-react";
import { useTheme } from "next-themes";
import { Button } from "../ui/action/button.tsx";
import { Link } from "../ui/action/link.tsx";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../ui/overlay/menu.tsx";
import { useSession } from "./session.tsx";
import { openShortcutsHelp } from "./shortcuts.tsx";
import { useSignOut } from "./sign-out.tsx";
import { themes } from "./theme-choice.tsx";

export function UserMenu() {
  const { user, organization } = useSession();
  const { theme, setTheme } = useTheme();
  const signOut = useSignOut();
  if (!user) return null;
  return (
    <Menu
      label="You"
      trigger={
        <Button variant="quiet" size="icon" aria-label={`${user.name}: theme, shortcuts, sign out`}>
          <span
            aria-hidden
            className="flex size-6 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent text-xs"
          >
            {user.name.trim().charAt(0).toUpperCase() || "?"}
          </span>
        </Button>
      }
    >
      <div className="px-2 py-1.5">
        <div className="truncate font-medium text-sm">{user.name}</div>
        <div className="truncate text-muted text-xs">{user.email}</div>
        <div className="mt-0.5 text-muted text-xs">
          {organization.role} of {organization.name}
        </div>
      </div>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      {themes.map(({ value, label }) => (
        <MenuChoice
          key={value}
          checked={theme === value}
          onSelect={(event) => {
            event.preventDefault(); // stay open, so that the themes can be compared
            setTheme(value);
          }}
        >
          {label}
        </MenuChoice>
      ))}
      <MenuSeparator />
      <MenuItem asChild>
        <Link href="/settings">
          <Settings aria-hidden />
          Settings
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href="/password">
          <KeyRound aria-hidden />
          Change password
        </Link>
      </MenuItem>
      <MenuItem onSelect={openShortcutsHelp}>
        <Keyboard aria-hidden />
        Keyboard shortcuts
      </MenuItem>
      <MenuItem onSelect={() => void signOut()}>
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  );
}
