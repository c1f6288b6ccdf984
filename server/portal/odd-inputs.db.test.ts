import { expect, test } from "vitest";
import { z } from "zod";
import { consents } from "#db/schema/oauth";
import type { PortalUser } from "#server/actor";
import { bankingServer, bankingWorld } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { portalOf } from "#server/testing/portal-script";
import { refusalOf } from "#server/trpc/refusal";
import { portalRouter } from "./router";

const world = await bankingWorld(await testDatabase());
const { people, ask } = world;
const settings = {
  ...world.ctx.settings,
  adminUserIds: [people.banker.playerId],
  adminSecondFactor: "waived" as const,
};
const ctx = { ...world.ctx, settings };
const user: PortalUser = { ...people.banker, admin: true };
const caller = portalOf(ctx, user);

const app = await mintApplication(ctx, user);
await mintTokens(ctx, app, { user });
const [consent] = await ctx.database.query.select({ id: consents.id }).from(consents);
const { endpointId } = await caller.webhooks.add({
  clientId: app.clientId,
  url: "https://hooks.client.test/",
  types: [],
});
const { guid } = await ask();

/** Existing values, so that the odd ones beside them get past the first checks. */
const known: Readonly<Record<string, unknown>> = {
  clientId: app.clientId,
  endpointId,
  consentId: consent?.id,
  guid,
  playerId: user.playerId,
  serverId: String(bankingServer),
};

const oddTexts = [
  "\0",
  `a\0\n{"level":50}`,
  "\uD800",
  "x".repeat(100_000),
  "x".repeat(100),
  "1_a",
  "1_-",
  "999999999999999_1",
  "8640000000000000_1",
  "999999999999999999999",
  "-1",
  "%",
  "\u202E\u0301\u0301",
];
const oddDates = [-8.64e15, 8.64e15, -62_135_596_800_001, Number.NaN, 0].map(
  (time) => new Date(time),
);
const oddNumbers = [-1, 0, 2 ** 31, 2 ** 53 - 1, 1e300, Number.NaN];

interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
}
const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;

/** A valid value, and odd ones for each of its parts. */
function valuesOf(schema: z.ZodType, name = ""): { sound: unknown; odd: readonly unknown[] } {
  const definition = definitionOf(schema);
  const { innerType, shape, element, options = [] } = definition;
  const inner = innerType ?? definition.in;
  if (shape) {
    const fields = Object.entries(shape).map(
      ([field, of]) => [field, valuesOf(of, field)] as const,
    );
    const sound = Object.fromEntries(fields.map(([field, values]) => [field, values.sound]));
    return {
      sound,
      odd: fields.flatMap(([field, values]) =>
        values.odd.map((value) => ({ ...sound, [field]: value })),
      ),
    };
  }
  if (inner && definitionOf(inner).type !== "transform") return valuesOf(inner, name);
  if (definition.type === "pipe")
    return valuesOf((definition as { out?: z.ZodType }).out ?? z.any());
  if (element) {
    const { sound, odd } = valuesOf(element, name);
    return { sound: [sound], odd: odd.map((value) => [value]) };
  }
  if (options.length > 0) {
    const each = options.map((option) => valuesOf(option, name));
    return { sound: each[0]?.sound, odd: each.flatMap(({ sound, odd }) => [sound, ...odd]) };
  }
  const sound = known[name];
  switch (definition.type) {
    case "string":
      return {
        sound: sound ?? (definition.format === "uuid" ? ctx.ids.uuid() : "x"),
        odd: oddTexts,
      };
    case "date":
      return { sound: ctx.now(), odd: oddDates };
    case "int":
    case "number":
      return { sound: sound ?? 1, odd: oddNumbers };
    case "boolean":
      return { sound: true, odd: [false] };
    case "enum":
      return { sound: Object.values(definition.entries ?? {})[0], odd: oddTexts.slice(0, 1) };
    case "literal":
      return { sound: definition.values?.[0], odd: [] };
    default:
      return { sound: sound ?? "123", odd: oddTexts };
  }
}

const procedures = Object.entries(
  portalRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>,
);
const call = async (name: string, input: unknown) => {
  const [noun = "", verb = ""] = name.split(".");
  const routers = caller as unknown as Record<
    string,
    Record<string, (input: unknown) => Promise<unknown>>
  >;
  return routers[noun]?.[verb]?.(input);
};

test.each(procedures.filter(([, { _def }]) => _def.inputs.length > 0))(
  "%s answers no input with a fault of its own",
  async (name, { _def: { inputs } }) => {
    const { sound, odd } = valuesOf(inputs[0] ?? z.any());
    expect(inputs).toHaveLength(1);
    const faults: unknown[] = [];
    for (const input of [sound, ...odd]) {
      const status = await call(name, input).then(
        () => 200,
        (thrown) => refusalOf(thrown).status,
      );
      if (status === 500) faults.push(JSON.stringify(input).slice(0, 200));
    }
    expect(odd.length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  },
);
