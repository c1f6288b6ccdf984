import type { ReactNode } from "react";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { Alert } from "#app/_ui/alert.tsx";
import { describeLimit } from "#server/failure-of";
import { failureKinds, GameUnavailable } from "#server/failures";

type Sentences = Readonly<Record<string, string>>;

type Props = {
  searchParams: SearchParams;
  /** What the page's forms did, by the word after `done=`. */
  done: Sentences;
  /** Why they did nothing, where the page can say more than the catalogue of failures. */
  wrong?: Sentences;
  /** Said above a sentence of the catalogue: what was not done. */
  refused?: ReactNode;
};

const everywhere: Sentences = {
  outdated:
    "Nothing was saved: somebody else changed this since you opened the page. Check it, then try again.",
  silent: "Nothing was saved: the chat does not answer. Try again in a minute.",
};

/**
 * Says what the form did that led here, or why it did nothing. An address names a word, a failure's code or its `details.reason`; it
 * is looked up, never shown, and one that nothing knows says nothing.
 */
export async function FormNotice({ searchParams, done, wrong = {}, refused }: Props) {
  const error = await readParam(searchParams, "error");
  const word = error ?? (await readParam(searchParams, "done"));
  if (word === undefined) return null;
  const good = error === undefined ? own(done, word) : undefined;
  const ours = good ?? own(wrong, word) ?? own(everywhere, word);
  const sentence = ours ?? failureSentence(word) ?? describeLimit(word);
  if (sentence === undefined) return null;
  return (
    <Alert tone={good ? "good" : "bad"} title={ours ? undefined : refused} live>
      {sentence}
    </Alert>
  );
}

const own = (sentences: Sentences, word: string) =>
  Object.hasOwn(sentences, word) ? sentences[word] : undefined;

function failureSentence(code: string): string | undefined {
  if (code === String(GameUnavailable.code))
    return `${gameName()} isn't answering. Try again in a few minutes.`;
  return failureKinds.find((kind) => String(kind.code) === code)?.message;
}
