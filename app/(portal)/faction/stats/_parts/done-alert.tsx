import { countOf } from "#lib/count-of";
import { figure } from "#lib/figure";
import { Alert } from "#ui/alert";
import { sharingInWords } from "./sharing-in-words";

type Props = { imported: string | undefined; known: string | undefined; shared: string | undefined };

const digits = (text: string | undefined) => (/^\d{1,5}$/.test(text ?? "") ? Number(text) : undefined);
const isSharing = (text: string | undefined): text is keyof typeof sharingInWords =>
  text !== undefined && Object.hasOwn(sharingInWords, text);

/** What the form did that led here. */
export function DoneAlert({ imported, known, shared }: Props) {
  const [added, old] = [digits(imported), digits(known) ?? 0];
  const said = isSharing(shared) ? `Saved. ${sharingInWords[shared].text}` : undefined;
  const text = added === undefined ? said : importInWords(added, old);
  if (!text) return null;
  return (
    <Alert tone="good" live>
      {text}
    </Alert>
  );
}

function importInWords(added: number, old: number): string {
  const taken = `${countOf(added, "score was", "scores were")} imported.`;
  return old === 0 ? taken : `${taken} ${figure(old)} told nothing newer than before.`;
}
