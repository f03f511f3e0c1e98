import { LANGUAGE_CODES } from '@parley/texts';
import { Type, type Static, type TSchema } from 'typebox';
import { ERROR_STATUS, type ErrorCode } from '../errors.ts';

/** A UUID in lower or upper case. */
export const Id = Type.String({
  pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  description: 'A UUID',
});

/** A time: ISO 8601 in UTC. */
export const Timestamp = Type.String({ description: 'ISO 8601, UTC' });

/** Returns the schema of a field that is either true or missing. `when` completes its description. */
export function flag(when: string) {
  return Type.Optional(Type.Boolean({ description: `Present and true ${when}` }));
}

/** Returns the schema of a field that has one of some texts. */
export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return Type.Unsafe<Values[number]>(Type.Union(values.map((value) => Type.Literal(value))));
}

/** A language of the product. */
export const LanguageSchema = oneOf(...LANGUAGE_CODES);

/** The volume of the client's sounds, played at 0, 0.5 or 1. */
export const Volume = oneOf('silent', 'middle', 'full');
export type Volume = Static<typeof Volume>;

/** Why a session ended. */
export const SessionEndReason = oneOf(
  'logout',
  'revoked',
  'password-changed',
  'account-deleted',
  'expired',
);
export type SessionEndReason = Static<typeof SessionEndReason>;

const SESSION_ENDS: SessionEndReason[] = ['revoked', 'password-changed', 'account-deleted'];

/** The body of every error response. */
export const ErrorResponse = Type.Object({
  errorMessage: Type.String({ description: 'A message in the language of the user' }),
  code: Type.Unsafe<ErrorCode>(Type.String({ enum: Object.keys(ERROR_STATUS) })),
  sessionEnded: Type.Optional(
    Type.Unsafe<SessionEndReason>(
      Type.String({
        enum: SESSION_ENDS,
        description:
          'With `unauthenticated`: why the server ended the session, if it did within the last 30 days',
      }),
    ),
  ),
  limitedBy: Type.Optional(
    Type.Unsafe<'network'>(
      Type.String({
        enum: ['network'],
        description:
          "With `rate_limited`: `network` if the limit counts the requests of everyone in the client's network",
      }),
    ),
  ),
  publicUrl: Type.Optional(
    Type.String({
      description:
        'With `foreign_origin`: the origin at which the server can be used, if it is configured',
    }),
  ),
});
export type ErrorResponse = Static<typeof ErrorResponse>;

/** The body of a successful response without data. */
export const Done = Type.Object({ ok: Type.Literal(true) });
export type Done = Static<typeof Done>;

/** Returns the schemas of a route's error responses by status, given its error codes. */
export function errorResponses(...codes: ErrorCode[]): Record<number, TSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<number, TSchema> = {};
  for (const [status, list] of byStatus) {
    responses[status] = Type.Object(
      {
        errorMessage: Type.String(),
        code: Type.Unsafe<ErrorCode>(Type.String({ enum: list })),
      },
      { description: list.join(', ') },
    );
  }
  return responses;
}
