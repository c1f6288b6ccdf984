import { escapeInvisible, formatCount } from "#app/_lib/format";
import { type AuditDetails, auditDetailLabels } from "#server/audit/audit";

/** Longer lists are folded; a registration has about twenty lines. */
const mostLines = 6;
const firstLines = 4;

export function EventDetails({ details }: { details: AuditDetails }) {
  const lines = shownDetails(details);
  const first = lines.length > mostLines ? firstLines : lines.length;
  return (
    <div className="max-w-96 text-xs wrap-anywhere text-ink-soft">
      <Lines lines={lines.slice(0, first)} />
      {lines.length > first && (
        <details>
          <summary className="w-fit text-accent-text underline underline-offset-2">
            {formatCount(lines.length - first, "more line")}
          </summary>
          <Lines lines={lines.slice(first)} />
        </details>
      )}
    </div>
  );
}

const Lines = ({ lines }: { lines: ReturnType<typeof shownDetails> }) => (
  <ul className="grid">
    {lines.map(([name, value]) => (
      <li key={name}>
        <span className="text-ink-faint">{auditDetailLabels[name]}:</span>{" "}
        <bdi>{escapeInvisible(value)}</bdi>
      </li>
    ))}
  </ul>
);

const shownDetails = (details: AuditDetails) =>
  (Object.entries(details) as [keyof AuditDetails, AuditDetails[keyof AuditDetails]][])
    .filter(([, value]) => value !== null && String(value) !== "")
    .map(([name, value]) => [name, valueInWords(value)] as const);

function valueInWords(value: AuditDetails[keyof AuditDetails]): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object" || value === null) return String(value ?? "none") || "none";
  if ("from" in value) return `${valueInWords(value.from)} → ${valueInWords(value.to)}`;
  return value.join(", ") || "none";
}
