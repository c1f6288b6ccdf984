import { formatCount, formatNumber } from "#app/_lib/format";
import { Alert } from "#app/_ui/alert.tsx";
import { describeSharing } from "./describe-sharing";

type Props = { imported: string | undefined; known: string | undefined; shared: string | undefined };

const digits = (text: string | undefined) => (/^\d{1,5}$/.test(text ?? "") ? Number(text) : undefined);
const isSharing = (text: string | undefined): text is keyof typeof describeSharing =>
  text !== undefined && Object.hasOwn(describeSharing, text);

/** What the form did that led here. */
export function DoneAlert({ imported, known, shared }: Props) {
  const [added, old] = [digits(imported), digits(known) ?? 0];
  const said = isSharing(shared) ? `Saved. ${describeSharing[shared].text}` : undefined;
  const text = added === undefined ? said : importInWords(added, old);
  if (!text) return null;
  return (
    <Alert tone="good" live>
      {text}
    </Alert>
  );
}

function importInWords(added: number, old: number): string {
  const taken = `${formatCount(added, "score was", "scores were")} imported.`;
  return old === 0 ? taken : `${taken} ${formatNumber(old)} brought nothing newer.`;
}
