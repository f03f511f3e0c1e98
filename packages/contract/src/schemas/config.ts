import { Type, type Static } from 'typebox';

/** Facts about who runs this server, as far as they are configured. */
export const Operator = Type.Object({
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  website: Type.Optional(Type.String()),
  sourceUrl: Type.Optional(Type.String()),
  demoUrl: Type.Optional(Type.String()),
});
export type Operator = Static<typeof Operator>;

/** What every client may know before anybody signs in. */
export const PublicConfig = Type.Object({
  product: Type.Literal('parley'),
  version: Type.String(),
  apiVersion: Type.Integer({
    description: 'Grows when a client of an older version could no longer work',
  }),
  minApiVersion: Type.Optional(
    Type.Integer({
      description: 'The oldest version of a client that still works; without one, `apiVersion`',
    }),
  ),
  mediaPrefix: Type.String({ description: 'What the URL of an upload starts with' }),
  mediaBase: Type.String({
    description:
      'What to put in place of mediaPrefix to fetch an upload: a path on this origin, or mediaPrefix',
  }),
  avatarUrl: Type.String({ description: 'Template of an avatar, with {name} in it' }),
  emojiUrl: Type.Optional(
    Type.String({
      description:
        'Template of the emoji pictures of further sets, with {style} (apple, facebook) and {code} (such as 2764-fe0f) in it',
    }),
  ),
  registration: Type.Union([Type.Literal('open'), Type.Literal('invite'), Type.Literal('closed')]),
  operator: Operator,
});
export type PublicConfig = Static<typeof PublicConfig>;
