"use client";
import { Pause, Play } from "lucide-react";
import { type Live, useLive } from "@/live/live-provider.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import type { StatusShape } from "../ui/status.ts";
import { StatusGlyph } from "../ui/status-badge.tsx";
import { Tooltip } from "../ui/tooltip.tsx";

/** The state of the stream in a word and a shape, and the way to hold the screen still. */
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
        hint: "What you see follows what happens. Click to hold it still.",
        announcement: "Live updates are on.",
      };
    case "connecting":
      return {
        word: "Connecting",
        shape: "ring",
        colour: "text-accent",
        hint: "Opening the stream of changes.",
        announcement: "",
      };
    case "reconnecting":
      return {
        word: "Reconnecting",
        shape: "half",
        colour: "text-warn",
        hint: "The stream was cut and is being opened again. Figures may be old until then; nothing will be missed.",
        announcement: "Live updates were cut; reconnecting.",
      };
    case "paused":
      return {
        word: describeWaiting(waiting),
        shape: "dash",
        colour: "text-warn",
        hint: "The screen is held still. Click to catch up and follow again.",
        announcement: "Live updates are paused.",
      };
    case "signed-out":
      return {
        word: "Signed out",
        shape: "cross",
        colour: "text-bad",
        hint: "Your session ended. What you see is from before.",
        announcement: "You are signed out. What you see no longer updates.",
      };
    case "elsewhere":
      return {
        word: "Elsewhere",
        shape: "triangle",
        colour: "text-warn",
        hint: "You switched to another organisation in another tab. What you see is from before.",
        announcement: "You switched to another organisation. What you see no longer updates.",
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
