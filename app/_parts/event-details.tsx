import { visibleText } from "#app/_lib/format";
import { type AuditDetails, auditedDetails } from "#server/audit/audit";

/** What the audit log says of an act, one line each. */
export const EventDetails = ({ details }: { details: AuditDetails }) => (
  <ul className="grid max-w-96 text-xs wrap-anywhere text-ink-soft">
    {shownDetails(details).map(([name, value]) => (
      <li key={name}>
        <span className="text-ink-faint">{auditedDetails[name]}:</span>{" "}
        <bdi>{visibleText(value)}</bdi>
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
