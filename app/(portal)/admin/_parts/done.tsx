import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Alert } from "#app/_ui/alert.tsx";

const words: ReadonlyMap<string, string> = new Map([
  ["verified", "Verified. Players see the mark when the application asks them for access."],
  ["unverified", "The mark is taken back."],
  ["suspended", "Suspended. Its tokens open nothing from this moment."],
  ["resumed", "Resumed. Its tokens open what they opened before."],
  ["banned", "Banned. The account is signed out everywhere, and its tokens are dead."],
  ["reset", "The second factor is off. The player is signed out everywhere, and signs in without it."],
  ["unbanned", "The ban is lifted. The player can sign in again."],
]);

/** Says what the form that led here did, or that it was not filled in. */
export async function Done({ searchParams }: { searchParams: SearchParams }) {
  const done = await readParam(searchParams, "done");
  if (done === "no-reason")
    return (
      <Alert tone="bad" title="Nothing was changed" live>
        A reason is needed, in one line of at most 300 characters: the one it concerns will read it.
      </Alert>
    );
  if (done === "outdated")
    return (
      <Alert tone="warn" title="Nothing was changed" live>
        The application was changed since you opened its page. This is how it stands now: read it, then decide.
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
