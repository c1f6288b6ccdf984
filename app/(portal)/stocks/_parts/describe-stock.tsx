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

/** Of a share: always to the cent, so that prices align. */
export const formatPrice = (value: number): string => share.format(value);
/** Of anything else in the game, which knows no cents. */
export const formatMoney = (value: number): string => whole.format(value);
export const formatShortPrice = (value: number): string => short.format(value);

/** A change with its sign, which says what its colour says. */
export function Change({ change }: { change: number | null }) {
  if (change === null) return <>–</>;
  return (
    <span className={classNames("tabular", change > 0 && "text-good", change < 0 && "text-bad")}>
      {percent.format(change)}
    </span>
  );
}

/** "2 years", "311 days": when the payments have come to what the shares cost. */
export function formatPayBack(days: number): string {
  if (days < 730) return formatCount(days, "day");
  return `${(days / 365).toFixed(1)} years`;
}
