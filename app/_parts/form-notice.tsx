import type { ReactNode } from "react";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Alert } from "#app/_ui/alert.tsx";
import { describeLimit } from "#server/failure-of";
import { failureKinds } from "#server/failures";

type Sentences = Readonly<Record<string, string>>;

type Props = {
  searchParams: SearchParams;
  /** Keyed by the word after `done=`. */
  done: Sentences;
  /** Overrides the catalogue's messages. */
  wrong?: Sentences;
  /** Shown above a catalogue message. */
  refused?: ReactNode;
  /** Links to a remedy, by failure code. */
  remedies?: Readonly<Record<string, ReactNode>>;
};

const everywhere: Sentences = {
  outdated:
    "Nothing was saved: somebody else changed this since you opened the page. Check it, then try again.",
  silent: "Nothing was saved: the chat does not answer. Try again in a minute.",
};

/**
 * The address holds a word, a failure code or a `details.reason`, which is looked up and never
 * echoed. Unknown values show nothing.
 */
export async function FormNotice({
  searchParams,
  done,
  wrong = {},
  refused,
  remedies = {},
}: Props) {
  const error = await readParam(searchParams, "error");
  const word = error ?? (await readParam(searchParams, "done"));
  if (word === undefined) return null;
  const good = error === undefined ? own(done, word) : undefined;
  const ours = good ?? own(wrong, word) ?? own(everywhere, word);
  const sentence = ours ?? failureSentence(word) ?? describeLimit(word);
  if (sentence === undefined) return null;
  return (
    <Alert
      tone={good ? "good" : "bad"}
      title={ours ? undefined : refused}
      actions={Object.hasOwn(remedies, word) ? remedies[word] : undefined}
      live
    >
      {sentence}
    </Alert>
  );
}

const own = (sentences: Sentences, word: string) =>
  Object.hasOwn(sentences, word) ? sentences[word] : undefined;

const failureSentence = (code: string) =>
  failureKinds.find((kind) => String(kind.code) === code)?.message;
