import { Alert } from "./alert";

interface Props {
  /** What the form did, by its short name in the address; undefined where no form led here. */
  readonly what: string | undefined;
  /** Why it did nothing. */
  readonly error: string | undefined;
  readonly done: ReadonlyMap<string, string>;
  readonly wrong: ReadonlyMap<string, string>;
}

/** What the form did that led here, in words. Nothing where the page does not know the name: addresses can say anything. */
export function FormAnswer({ what, error, done, wrong }: Props) {
  const text = error ? wrong.get(error) : done.get(what ?? "");
  if (!text) return null;
  return (
    <Alert tone={error ? "bad" : "good"} live>
      {text}
    </Alert>
  );
}
