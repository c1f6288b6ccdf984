"use client";

import { classNames } from "./class-names";

type Props = {
  name: string;
  size?: "sm" | "md" | "lg";
  /** Players are round, applications are square. */
  shape?: "round" | "square";
};

const sizes = {
  sm: "size-6 text-[0.625rem]",
  md: "size-9 text-xs",
  lg: "size-12 text-md",
} as const;

const tints = [
  "bg-accent-wash text-accent-text",
  "bg-good-wash text-good",
  "bg-warn-wash text-warn",
  "bg-bad-wash text-bad",
  "bg-sunken text-ink-soft",
] as const;

/** Up to two letters, from two words or from the capitals of one word. */
function initialsOf(name: string): string {
  const words = name
    .split(/[\s_-]+|(?<=[\p{Ll}\d])(?=\p{Lu})/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words
    .slice(0, 2)
    .map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? "");
  return letters.join("").toUpperCase() || "?";
}

function tintOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return tints[sum % tints.length] ?? tints[0];
}

/** Decoration beside the name. */
export function Avatar({ name, size = "md", shape = "round" }: Props) {
  return (
    <span
      aria-hidden="true"
      // Drawn by CSS, because initials are not part of the link's or button's name.
      data-initials={initialsOf(name)}
      className={classNames(
        "grid flex-none place-items-center font-semibold select-none before:content-[attr(data-initials)]",
        shape === "round" ? "rounded-full" : "rounded-control",
        sizes[size],
        tintOf(name),
      )}
    />
  );
}
