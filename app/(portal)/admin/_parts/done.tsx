import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Alert } from "#app/_ui/alert.tsx";

const words: ReadonlyMap<string, string> = new Map([
  ["verified", "Verified. Players see the mark when the application asks them for access."],
  ["unverified", "The application is no longer verified."],
  ["suspended", "Suspended. Its tokens no longer work."],
  ["resumed", "Resumed. Its tokens work again."],
  ["banned", "Banned. The account is signed out everywhere, and its tokens no longer work."],
  ["reset", "The second factor is off. The player is signed out everywhere and signs in without it."],
  ["unbanned", "The ban is lifted. The player can sign in again."],
]);

/** Says what the form that led here did, or that it was not filled in. */
export async function Done({ searchParams }: { searchParams: SearchParams }) {
  const done = await readParam(searchParams, "done");
  if (done === "no-reason")
    return (
      <Alert tone="bad" title="Nothing was changed" live>
        Enter a reason of one line, at most 300 characters. The player or developer concerned will read it.
      </Alert>
    );
  if (done === "outdated")
    return (
      <Alert tone="warn" title="Nothing was changed" live>
        The application changed since you opened its page. It is shown as it is now: read it, then decide.
      </Alert>
    );
  const sentence = done && words.get(done);
  if (!sentence) return null;
  return (
    <Alert tone="good" live>
      {sentence}
    </Alert>
  );
}
