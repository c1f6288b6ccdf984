import { z } from "zod";

const most = 2n ** 63n - 1n;

/** The number of a chat account: 64 bits, as text or as a JSON integer that was read with all its digits. */
const ChatId = z
  .union([z.string().regex(/^[1-9][0-9]{0,18}$/), z.int().positive(), z.bigint().positive()])
  .transform((value) => BigInt(value))
  .refine((id) => id <= most);

const Fields = z.record(z.string(), z.unknown());

/** The account's number in what the provider says of a user; undefined where it is not there, or no such number. */
export function chatIdOf(answer: unknown, field: string): bigint | undefined {
  const fields = Fields.safeParse(answer);
  if (!fields.success || !Object.hasOwn(fields.data, field)) return undefined;
  return ChatId.safeParse(fields.data[field]).data;
}
