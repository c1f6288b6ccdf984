import type { ConsentActDone } from "#app/_lib/forms/consent-page";
import { Alert } from "#app/_ui/alert.tsx";

const words: Readonly<Record<ConsentActDone, string>> = {
  paused: "The application is paused. Its calls are refused until you resume it.",
  resumed: "The application is resumed, with the same permissions as before.",
  narrowed: "Permissions saved. What you removed no longer works on any device.",
  revoked: "Access revoked. Its tokens no longer work.",
  gone: "Nothing changed: the application's access had already ended.",
};

const isDone = (text: string): text is ConsentActDone => Object.hasOwn(words, text);

/** What the form did that led here. */
export function DoneAlert({ done }: { done: string | undefined }) {
  if (done === undefined || !isDone(done)) return null;
  return (
    <Alert tone={done === "gone" ? "warn" : "good"} live>
      {words[done]}
    </Alert>
  );
}
