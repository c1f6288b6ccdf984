import type { CappedCount } from "#server/platform/paging";
import { daySeconds, hourSeconds } from "#server/platform/time";

const number = new Intl.NumberFormat("en");

/** A number as it is read: "1,204". */
export const formatNumber = (many: number): string => number.format(many);

/** How many of what: "1 player", "5,000 live tokens"; more than the last word changes with `many`: "2 keys are". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** A capped count where there is room for a number alone: "312", "1,000+" where there may be more. */
export const formatCappedNumber = ({ count, more }: CappedCount): string =>
  `${formatNumber(count)}${more ? "+" : ""}`;

/** A capped count in a sentence: "1 player", "312 players", "1,000 or more players". */
export const formatCappedCount = (
  { count, more }: CappedCount,
  one: string,
  many = `${one}s`,
): string => (more ? `${formatNumber(count)} or more ${many}` : formatCount(count, one, many));

const units = [
  ["day", daySeconds],
  ["hour", hourSeconds],
  ["minute", 60],
] as const;

/** A duration in its largest whole unit: 3600 is "1 hour", 90 is "90 seconds". */
export function formatDuration(seconds: number): string {
  for (const [unit, length] of units)
    if (seconds >= length && seconds % length === 0) return formatCount(seconds / length, unit);
  return formatCount(seconds, "second");
}

const share = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A part of a whole: 0.025 is "2.5%". */
export const formatShare = (part: number): string => share.format(part);

/** A number where there is little room, as at an axis: 1,234,567 is "1.2M". */
export const formatCompact = (many: number): string => compact.format(many);

const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** A day of UTC in words: "1 March 2026". */
export const formatDay = (day: Date): string => longDate.format(day);

const shortDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const timeOfDay = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

/** A day of UTC where there is less room: "1 Mar 2026". */
export const formatShortDay = (day: Date): string => shortDate.format(day);

/** A time of day in UTC: "09:05". */
export const formatTimeOfDay = (at: Date): string => timeOfDay.format(at);

/** Characters that would not be seen, or would turn round the text beside them. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text from outside, with its invisible characters written out: a redirect URI with U+202E says
 * so.
 */
export const visibleText = (text: string): string =>
  text.replace(unseen, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
