"use client";
import { Pause, Play } from "lucide-react";
import { type Live, useLive } from "@/live/live-provider.tsx";
import { Button } from "../ui/action/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Tooltip } from "../ui/overlay/tooltip.tsx";
import type { StatusShape } from "../ui/status/status.ts";
import { StatusGlyph } from "../ui/status/status-badge.tsx";

/** The state of the live stream, and a button that pauses it. */
export function LiveToggle() {
  const live = useLive();
  const look = describeLive(live);
  return (
    <>
      <Tooltip content={look.hint}>
        <Button
          variant="quiet"
          size="sm"
          className="px-1.5 sm:px-2"
          onClick={live.paused ? live.resume : live.pause}
          aria-pressed={live.paused}
          aria-label={live.paused ? "Resume live updates" : "Pause live updates"}
          data-live={live.state}
        >
          <StatusGlyph shape={look.shape} className={look.colour} />
          <span className={classNames("tabular", live.state === "live" && "max-sm:sr-only")}>{look.word}</span>
          {live.paused ? <Play aria-hidden /> : <Pause className="max-sm:hidden" aria-hidden />}
        </Button>
      </Tooltip>
      <span className="sr-only" role="status">
        {look.announcement}
      </span>
    </>
  );
}

type LiveLook = { word: string; shape: StatusShape; colour: string; hint: string; announcement: string };

function describeLive({ state, waiting }: Live): LiveLook {
  switch (state) {
    case "live":
      return {
        word: "Live",
        shape: "disc",
        colour: "text-good",
        hint: "The page updates live. Click to pause.",
        announcement: "Live updates are on.",
      };
    case "connecting":
      return {
        word: "Connecting",
        shape: "ring",
        colour: "text-accent",
        hint: "Connecting to the live stream.",
        announcement: "",
      };
    case "reconnecting":
      return {
        word: "Reconnecting",
        shape: "half",
        colour: "text-warn",
        hint: "The connection was lost and is being restored. Data may be outdated until then. No change will be missed.",
        announcement: "Live updates are interrupted; reconnecting.",
      };
    case "paused":
      return {
        word: describeWaiting(waiting),
        shape: "dash",
        colour: "text-warn",
        hint: "Live updates are paused. Click to resume.",
        announcement: "Live updates are paused.",
      };
    case "signed-out":
      return {
        word: "Signed out",
        shape: "cross",
        colour: "text-bad",
        hint: "Your session has ended. The data is outdated.",
        announcement: "You are signed out. The page no longer updates.",
      };
    case "elsewhere":
      return {
        word: "Other organisation",
        shape: "triangle",
        colour: "text-warn",
        hint: "You switched to another organisation in another tab. The data is outdated.",
        announcement: "You switched to another organisation. The page no longer updates.",
      };
    default:
      return state satisfies never;
  }
}

function describeWaiting(waiting: number): string {
  if (waiting === 0) return "Paused";
  if (!Number.isFinite(waiting)) return "Paused · many changes";
  return `Paused · ${waiting} ${waiting === 1 ? "change" : "changes"}`;
}
