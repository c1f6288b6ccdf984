import { z } from "zod";
import type { AnswerCache } from "#simulator/answer";
import type { Areas } from "#simulator/areas";
import type { Faults } from "#simulator/faults";
import type { Keys } from "#simulator/keys";

export interface ControlParts extends Areas {
  readonly seed: number;
  readonly epoch: Date;
  readonly keys: Keys;
  readonly faults: Faults;
  readonly cache: AnswerCache;
  readonly now: () => Date;
  readonly advance: (seconds: number) => void;
}

/** A verb parses its input, then acts. It throws if the input is invalid or names nothing. */
export const verb =
  <Input extends z.ZodType, Result>(input: Input, run: (input: z.output<Input>) => Result) =>
  (given: z.input<Input>): Result =>
    run(input.parse(given));

export function mustExist<Found>(thing: Found | null | false, what: string): Found {
  if (thing === null || thing === false)
    throw new Error(`${what} does not exist in the simulated game.`);
  return thing;
}

export const id = z.int().positive();
