import type { ConsentActDone } from "#app/_lib/forms/consent-page";
import { Alert } from "#app/_ui/alert.tsx";

const words: Readonly<Record<ConsentActDone, string>> = {
  paused: "The application is paused. Its calls are refused until you let it go on.",
  resumed: "The application goes on. What it was allowed before it may do again.",
  narrowed: "The permissions are changed. What you took away is closed on all devices from this moment.",
  revoked: "Access is revoked. Its tokens are dead from this moment.",
  gone: "Nothing was changed: the application's access had ended already.",
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
