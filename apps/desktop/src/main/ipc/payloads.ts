import { LanguageSchema } from '@parley/contract/schemas';
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { Preferences } from '../settings/settings.ts';

const Id = Type.String({ pattern: '^[\\w-]{1,64}$' });
/** A name or preview. Real ones are far shorter; the limit only stops a broken or compromised page. */
const Line = Type.String({ maxLength: 20_000 });
const Origin = Type.String({ pattern: '^https?://[^/\\s]+$', maxLength: 300 });
const Fingerprint = Type.String({ pattern: '^sha256/[A-Za-z0-9+/=]{20,64}$' });

const exact = { additionalProperties: false };

/** The schemas of the arguments of each message, in order. */
export const PAYLOADS = {
  nothing: Type.Tuple([]),
  notify: Type.Tuple([
    Type.Object(
      {
        chatroom: Id,
        title: Line,
        body: Line,
        silent: Type.Boolean(),
        canReply: Type.Optional(Type.Boolean()),
      },
      exact,
    ),
  ]),
  withdraw: Type.Tuple([Id]),
  endUpload: Type.Tuple([Id]),
  setUnread: Type.Tuple([
    Type.Object(
      {
        count: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
        picture: Type.Optional(
          Type.String({ pattern: '^data:image/png;base64,[A-Za-z0-9+/=]+$', maxLength: 60_000 }),
        ),
      },
      exact,
    ),
  ]),
  setPreferences: Type.Tuple([
    Type.Partial(
      Type.Object({ ...Preferences.properties, startAtLogin: Type.Boolean() }, exact),
      exact,
    ),
  ]),
  setLanguage: Type.Tuple([LanguageSchema]),
  check: Type.Tuple([
    Type.String({ maxLength: 2_000 }),
    Type.Union([Fingerprint, Type.Undefined()]),
  ]),
  add: Type.Tuple([Type.Object({ origin: Origin, pinned: Type.Optional(Fingerprint) }, exact)]),
  origin: Type.Tuple([Origin]),
} as const satisfies Record<string, TSchema>;

type Payloads = typeof PAYLOADS;
/** The name of a payload. */
export type PayloadName = keyof Payloads;
/** The arguments of a message after validation. */
export type Payload<N extends PayloadName> = Static<Payloads[N]>;

/** Invalid arguments on a channel. Never shown to the user, as only a broken page sends them. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
}

/**
 * Validates the arguments of a message.
 * @throws {PayloadError}
 */
export function parsePayload<N extends PayloadName>(name: N, args: unknown[]): Payload<N> {
  const schema: Payloads[N] = PAYLOADS[name];
  if (!Value.Check(schema, args)) throw new PayloadError(`not the arguments of ${name}`);
  return args;
}
