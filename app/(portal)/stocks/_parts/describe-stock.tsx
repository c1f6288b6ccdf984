import { formatCount } from "#app/_lib/format";
import { classNames } from "#app/_ui/class-names.tsx";

const share = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
const whole = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});
const short = new Intl.NumberFormat("en", {
  ...{ style: "currency", currency: "USD", notation: "compact", maximumFractionDigits: 1 },
});
const percent = new Intl.NumberFormat("en", {
  ...{
    style: "percent",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: "exceptZero",
  },
});

/** Shares: always with cents, so that prices align. */
export const formatPrice = (value: number): string => share.format(value);
/** Other amounts: the game has no cents. */
export const formatMoney = (value: number): string => whole.format(value);
export const formatShortPrice = (value: number): string => short.format(value);

/** The sign repeats what the colour means. */
export function Change({ change }: { change: number | null }) {
  if (change === null) return <>–</>;
  return (
    <span className={classNames("tabular", change > 0 && "text-good", change < 0 && "text-bad")}>
      {percent.format(change)}
    </span>
  );
}

/** "2 years", "311 days" until payments equal the cost. */
export function formatPayBack(days: number): string {
  if (days < 730) return formatCount(days, "day");
  return `${(days / 365).toFixed(1)} years`;
}
