"use client";

import { useEffect, useRef, useState } from "react";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import type { HitToAnswer } from "#server/faction/show-board";

const storageKey = "adjutant:hit-alerts";
const alerts = ["sound", "notification"] as const;
type Alert = (typeof alerts)[number];

/** Private windows may refuse storage; the choice then lasts as long as the page. */
function readChoice(): readonly Alert[] {
  try {
    const stored = localStorage.getItem(storageKey)?.split(" ") ?? [];
    return alerts.filter((alert) => stored.includes(alert));
  } catch {
    return [];
  }
}

function keepChoice(chosen: readonly Alert[]): void {
  try {
    localStorage.setItem(storageKey, chosen.join(" "));
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}

const toneHertz = 660;
const toneSeconds = 0.35;

/** Browsers allow sound only after the page was clicked. */
async function play(audio: AudioContext): Promise<void> {
  await audio.resume();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const end = audio.currentTime + toneSeconds;
  tone.frequency.value = toneHertz;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
}

type Props = { hits: readonly Pick<HitToAnswer, "code" | "attackerName" | "defenderName">[] };

/** Alerts are off by default, and hits known when the page opened cause no alert. */
export function HitAlerts({ hits }: Props) {
  const [chosen, setChosen] = useState<readonly Alert[]>([]);
  const [isBlocked, setBlocked] = useState(false);
  const audio = useRef<AudioContext>(undefined);
  const known = useRef<ReadonlySet<string>>(undefined);

  useEffect(() => setChosen(readChoice()), []);

  useEffect(() => {
    const fresh = hits.filter(({ code }) => known.current && !known.current.has(code));
    known.current = new Set(hits.map(({ code }) => code));
    const [hit] = fresh;
    if (!hit) return;
    if (chosen.includes("sound")) {
      audio.current ??= new AudioContext();
      void play(audio.current);
    }
    if (chosen.includes("notification") && Notification.permission === "granted")
      new Notification(
        fresh.length === 1 ? "1 open retaliation" : `${fresh.length} open retaliations`,
        { body: `${hit.attackerName} hit ${hit.defenderName}`, tag: storageKey, icon: "/icon.svg" },
      );
  }, [hits, chosen]);

  useEffect(() => () => void audio.current?.close(), []);

  async function choose(alert: Alert, on: boolean) {
    if (alert === "notification" && on) {
      const isAllowed =
        "Notification" in window && (await Notification.requestPermission()) === "granted";
      setBlocked(!isAllowed);
      if (!isAllowed) return;
    }
    if (alert === "sound" && on) {
      audio.current ??= new AudioContext();
      void play(audio.current);
    }
    const next = alerts.filter((one) => (one === alert ? on : chosen.includes(one)));
    setChosen(next);
    keepChoice(next);
  }

  const box = (alert: Alert, label: string) => (
    <Checkbox
      name={alert}
      label={label}
      checked={chosen.includes(alert)}
      onChange={({ currentTarget }) => void choose(alert, currentTarget.checked)}
    />
  );
  return (
    <fieldset className="needs-script flex flex-wrap items-center gap-x-5 gap-y-1">
      <legend className="sr-only">For a new retaliation</legend>
      {box("sound", "Play a sound")}
      {box("notification", "Show a desktop notification")}
      <span role="status" className="text-ink-soft">
        {isBlocked && "Your browser blocks notifications of this site. Allow them in its settings."}
      </span>
    </fieldset>
  );
}
