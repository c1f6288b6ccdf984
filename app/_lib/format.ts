import type { CappedCount } from "#server/platform/paging";
import { daySeconds, hourSeconds } from "#server/platform/time";

const number = new Intl.NumberFormat("en");

/** "1,204". */
export const formatNumber = (many: number): string => number.format(many);

const twoDecimals = new Intl.NumberFormat("en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

export const formatTwoDecimals = (value: number): string => twoDecimals.format(value);

/** "1 player", "5,000 live tokens". `many` may change more than the last word: "2 keys are". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** "312", or "1,000+" for a capped count. */
export const formatCappedNumber = ({ count, more }: CappedCount): string =>
  `${formatNumber(count)}${more ? "+" : ""}`;

/** "1 player", "312 players", "1,000 or more players". */
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

/** Largest exact unit: 3600 is "1 hour", 90 is "90 seconds". */
export function formatDuration(seconds: number): string {
  for (const [unit, length] of units)
    if (seconds >= length && seconds % length === 0) return formatCount(seconds / length, unit);
  return formatCount(seconds, "second");
}

const share = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** 0.025 is "2.5%". */
export const formatShare = (part: number): string => share.format(part);

/** 1,234,567 is "1.2M". */
export const formatCompact = (many: number): string => compact.format(many);

const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** UTC: "1 March 2026". */
export const formatDate = (day: Date): string => longDate.format(day);

const shortDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const timeOfDay = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

/** UTC: "1 Mar 2026". */
export const formatShortDate = (day: Date): string => shortDate.format(day);

/** UTC: "09:05". */
export const formatTimeOfDay = (at: Date): string => timeOfDay.format(at);

/** "1 Mar 2026, 09:05 UTC". */
export const formatDateTime = (at: Date): string =>
  `${formatShortDate(at)}, ${formatTimeOfDay(at)} UTC`;

/** Invisible characters, and those that reverse text direction. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible characters in foreign text, such as U+202E in a redirect URI. */
export const escapeInvisible = (text: string): string =>
  text.replace(unseen, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
