"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useEffect, useState } from "react";
import { classNames } from "../ui/class-names.ts";

export const themes = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "System", icon: Monitor },
] as const;

/**
 * Light, dark, or the system's theme. The server doesn't know it, so nothing is selected until the page is hydrated.
 */
export function ThemeChoice() {
  const { theme, setTheme } = useTheme();
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return (
    <fieldset className="flex rounded-md border bg-surface p-0.5">
      <legend className="sr-only">Theme</legend>
      {themes.map(({ value, label, icon: Icon }) => {
        const chosen = alive && theme === value;
        return (
          <button
            key={value}
            type="button"
            aria-pressed={chosen}
            aria-label={label}
            title={label}
            onClick={() => setTheme(value)}
            className={classNames(
              "flex h-7 flex-1 items-center justify-center rounded-sm px-2",
              chosen ? "bg-raised text-ink shadow-sm" : "text-muted hover:text-ink",
            )}
          >
            <Icon className="size-4" aria-hidden />
          </button>
        );
      })}
    </fieldset>
  );
}
